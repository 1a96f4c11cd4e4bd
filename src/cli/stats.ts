import type { Command } from 'commander'
import { everyRun } from '../stores/every-run.ts'
import type { RunSummary } from '../stores/run-summary.ts'
import { tellReading, withProgress } from './progress.ts'
import { addFilters, type FilterOptions, toQuery } from './run-filters.ts'
import { findingStoreOf, jsonOption, type StoreOptions, storeOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count, formatBytes, formatDuration, formatTime } from './units.ts'
import { tellUnreadable, UnreadableRuns } from './unreadable.ts'
import { knownOrMade } from '../trace/remember.ts'

/** `goldenrun stats` */
export function addStatsCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('stats')
    .summary('count recordings, by agent and version')
    .description(
      'Counts recordings by agent and version: how they ended, how many were flagged or repeated a side effect, how long they took and how many tokens they used.',
    )
    .addOption(storeOption())
  addFilters(command)
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx goldenrun stats --since 24h')
    .action(async ({ store: option, json, ...filters }: FilterOptions & StoreOptions) => {
      const { store, place } = await findingStoreOf(option)
      const all = new Count()
      const agents = new Map<string, Count>()
      const left = new UnreadableRuns(store)
      await withProgress(terminal, async ({ tell }) => {
        for await (const run of everyRun(store, toQuery(filters), { onReading: tellReading(tell), onUnreadable: left.add })) {
          const key = JSON.stringify([run.agent, run.agentVersion ?? null])
          const agent = knownOrMade(agents, key, () => new Count())
          for (const counted of [all, agent]) counted.add(run)
        }
      })
      const groups = [...agents].map(([key, counted]) => {
        const [agent, agentVersion] = JSON.parse(key) as [string, string | null]
        return { agent, agentVersion, ...counted.toJson() }
      })
      const unreadable = await left.list()
      if (json === true) return terminal.printJson({ ...all.toJson(), agents: groups, unreadable })
      const isFiltered = Object.keys(toQuery(filters)).length > 0
      terminal.print(format(groups, all.toJson(), isFiltered ? `${place} that match` : place).join('\n'))
      tellUnreadable(unreadable, terminal)
    })
}

type Counted = ReturnType<Count['toJson']>

class Count {
  readonly #statuses = { returned: 0, threw: 0, 'in-flight': 0 }
  readonly #sums = { flagged: 0, repeatedSideEffects: 0, bytes: 0, inputTokens: 0, outputTokens: 0 }
  readonly #durations: number[] = []
  #oldest: string | undefined
  #newest: string | undefined

  /** @param run Older than the runs added before. */
  add({ status, flags, repeatedSideEffects, bytes = 0, usage, durationMs, startedAt }: RunSummary): void {
    this.#statuses[status] += 1
    this.#sums.flagged += flags.length > 0 ? 1 : 0
    this.#sums.repeatedSideEffects += repeatedSideEffects > 0 ? 1 : 0
    this.#sums.bytes += bytes
    this.#sums.inputTokens += usage.inputTokens
    this.#sums.outputTokens += usage.outputTokens
    if (durationMs !== undefined) this.#durations.push(durationMs)
    this.#newest ??= startedAt
    this.#oldest = startedAt
  }

  /** Returns the numbers. The median, in milliseconds, and the times, in ISO 8601, are null without runs that have them. */
  toJson() {
    const { returned, threw, 'in-flight': inFlight } = this.#statuses
    const sorted = this.#durations.toSorted((a, b) => a - b)
    return {
      runs: returned + threw + inFlight,
      returned,
      threw,
      inFlight,
      ...this.#sums,
      medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? null,
      oldest: this.#oldest ?? null,
      newest: this.#newest ?? null,
    }
  }
}

function format(agents: readonly ({ agent: string; agentVersion: string | null } & Counted)[], all: Counted, place: string): string[] {
  if (all.runs === 0 || all.oldest === null || all.newest === null) return [`No recordings in ${place}.`]
  const rows = agents.map(({ agent, agentVersion, ...counted }) => [agent, agentVersion ?? '', ...cells(counted)])
  const header = ['agent', 'version', 'runs', 'threw', 'in flight', 'flagged', 'repeated', 'median', 'tokens', 'size']
  const total = agents.length > 1 ? [['all', '', ...cells(all)]] : []
  return [
    `${count(all.runs, 'recording')} in ${place}, from ${formatTime(all.oldest)} to ${formatTime(all.newest)}:`,
    ...formatTable(header, [...rows, ...total], header.slice(2)).map((line) => `  ${line}`),
  ]
}

function cells({ runs, threw, inFlight, flagged, repeatedSideEffects, medianMs, inputTokens, outputTokens, bytes }: Counted): string[] {
  const counts = [runs, threw, inFlight, flagged, repeatedSideEffects].map(String)
  return [...counts, medianMs === null ? '' : formatDuration(medianMs), String(inputTokens + outputTokens), formatBytes(bytes)]
}
