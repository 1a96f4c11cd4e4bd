import { findRepeatedEffects } from '../stores/repeated-effects.ts'
import type { RepeatedEffect, RunQuery } from '../stores/run-summary.ts'
import type { FoundEffects } from '../stores/trace-store.ts'
import { tellReading, withProgress } from './progress.ts'
import { findingStoreOf, type StoreOptions } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count, formatTime } from './units.ts'
import { printable } from '../trace/printable.ts'

/** The default number of side effects, or recordings, that are listed. */
export const MOST_LISTED = 100

/** `goldenrun list --repeated-effects`: side effects that several runs made. */
export async function listRepeatedEffects(
  { limit = MOST_LISTED, ...filters }: RunQuery,
  { store: option, json }: StoreOptions,
  terminal: Terminal,
): Promise<void> {
  const { store, place } = await findingStoreOf(option)
  const found = await withProgress(terminal, ({ tell }) => findRepeatedEffects(store, { ...filters, limit: limit + 1 }, tellReading(tell)))
  const [effects, isCut] = [found.effects.slice(0, limit), found.effects.length > limit]
  if (found.scanned !== undefined) terminal.printError(found.scanned)
  if (json === true) return terminal.printJson(toJson(effects, found, isCut))
  terminal.print(format(effects, place).join('\n'))
  if (isCut) terminal.printError(`These are the ${limit} that were repeated last. To see more: --limit ${10 * limit}`)
  if (found.unreadable.length > 0)
    terminal.printError(`${count(found.unreadable.length, 'recording')} could not be read. To see which: goldenrun list`)
}

function toJson(effects: readonly RepeatedEffect[], { unreadable }: FoundEffects, more: boolean): object {
  return {
    effects: effects.map(({ effect, key, runs }) => ({ effect, by: key === undefined ? 'arguments' : 'key', key, runs })),
    unreadable,
    more,
  }
}

function format(effects: readonly RepeatedEffect[], place: string): string[] {
  if (effects.length === 0) return [`No side effect in ${place} was made by several runs.`]
  return [
    `Side effects in ${place} that several runs made:`,
    ...effects.flatMap(({ effect, key, runs }) => [
      '',
      printable(`${effect}, ${key === undefined ? 'with the same arguments' : `key ${key}`}: ${count(runs.length, 'run')}`),
      ...formatTable(
        ['run', 'agent', 'version', 'step', 'made'],
        runs.map(({ id, agent, agentVersion = '', step, at }) => [id, agent, agentVersion, String(step), formatTime(at)]),
        ['step'],
      ).map((line) => `  ${line}`),
    ]),
  ]
}
