import type { Command } from 'commander'
import { listTraces, type ListTracesOptions, type TraceSummary } from '../replay/traces/list-traces.ts'
import { toStore } from '../stores/default-store.ts'
import { displayPath } from '../node/display-path.ts'
import { findGoldenDirectory } from '../stores/golden-directory.ts'
import type { RunQuery } from '../stores/run-summary.ts'
import { isFound } from '../stores/run-terms.ts'
import type { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { describeExpectation } from './describe-expectation.ts'
import { tellReading, withProgress } from './progress.ts'
import { listRepeatedEffects, MOST_LISTED } from './list-effects.ts'
import { addFilters, type FilterOptions, limitOption, toQuery } from './run-filters.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { formatTime } from './units.ts'
import { tellUnreadable, type Unreadable } from './unreadable.ts'

/** `goldenrun list` */
export function addListCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('list')
    .summary('list recordings and golden traces')
    .description(
      'Lists the recordings of the store, the newest first, and the golden traces of the project. With filters, only those that match.',
    )
    .addOption(storeOption())
  addFilters(command)
    .addOption(limitOption())
    .option('--repeated-effects', 'list the side effects that several runs made, instead of the runs')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx goldenrun list --agent support --since 24h --status threw\n  $ npx goldenrun list --tag user=42 --repeated-side-effects\n  $ npx goldenrun list --repeated-effects --since 7d',
    )
    .action(async (options: ListOptions) => {
      if (options.repeatedEffects === true) return listRepeatedEffects(toQuery(options), options, terminal)
      const store = await storeOf(options.store)
      const { limit = MOST_LISTED, ...filters } = toQuery(options)
      const query = { ...filters, limit }
      const lists = await withProgress(terminal, ({ tell }) =>
        readLists(store, query, {
          onScanned: (why) => terminal.printError(why),
          onReading: tellReading(tell),
        }),
      )
      if (options.json === true) return terminal.printJson(lists)
      terminal.print(formatLists(lists, toStore(store).place, Object.keys(filters).length > 0).join('\n'))
      if (lists.more) terminal.printError(`These are the newest ${query.limit}. To see more: --limit ${10 * query.limit}`)
      tellUnreadable(lists.unreadable, terminal)
    })
}

interface ListOptions extends FilterOptions, StoreOptions {
  readonly repeatedEffects?: true
}

interface Lists {
  readonly recordings: readonly Recording[]
  readonly goldens: readonly TraceSummary[]
  readonly unreadable: readonly Listed[]
  /** Whether there are older recordings than these. */
  readonly more: boolean
}

interface Recording extends TraceSummary {
  /** The names of the goldens promoted from this recording. */
  readonly goldens: readonly string[]
}

interface Listed extends Unreadable {
  readonly kind: 'recording' | 'golden'
}

async function readLists(
  store: string | TraceStore,
  query: RunQuery & { readonly limit: number },
  told: Pick<ListTracesOptions, 'onScanned' | 'onReading'>,
): Promise<Lists> {
  const unreadable: Listed[] = []
  const tellOf =
    (kind: Listed['kind']) =>
    (trace: string, { code, message }: GoldenrunError): void =>
      void unreadable.push({ kind, trace, code, message })
  const goldens = await listTraces({ onUnreadable: tellOf('golden') })
  const found = await listTraces({ ...query, limit: query.limit + 1, store, onUnreadable: tellOf('recording'), ...told })
  const recordings = found
    .toReversed()
    .slice(0, query.limit)
    .map((recording): Recording => {
      const promoted = goldens.flatMap(({ golden }) => (golden?.promotedFrom === recording.id ? [golden.name] : []))
      return { ...recording, goldens: promoted }
    })
  return { recordings, goldens: goldens.filter((golden) => isFound(golden, query)), unreadable, more: found.length > query.limit }
}

function formatLists({ recordings, goldens, unreadable }: Lists, place: string, isFiltered: boolean): string[] {
  const none = isFiltered ? ' that match' : ''
  const recorded = recordings.map(({ id, agent, status, steps, startedAt, goldens: names, flags }) => {
    return [id, agent, status, String(steps), formatTime(startedAt), names.join(', '), flags.join('; ')]
  })
  const promoted = goldens.map(({ golden, file, agent, steps }) => {
    const { name = file, expect, description = '' } = golden ?? {}
    return [name, agent, String(steps), expect === undefined ? 'never: it was not promoted' : describeExpectation(expect), description]
  })
  const failed = (kind: Listed['kind'], ...cells: string[]): string[][] =>
    unreadable.filter((trace) => trace.kind === kind).map(({ trace }) => [trace, ...cells])
  return [
    ...formatList('recordings', place, none, {
      header: ['id', 'agent', 'status', 'steps', 'started', 'golden', 'flags'],
      rows: [...recorded, ...failed('recording', '', 'unreadable')],
    }),
    '',
    ...formatList('golden traces', displayPath(findGoldenDirectory()), none, {
      header: ['name', 'agent', 'steps', 'holds when', 'description'],
      rows: [...promoted, ...failed('golden', '', '', 'never: it cannot be read')],
    }),
  ]
}

function formatList(
  what: string,
  place: string,
  none: string,
  { header, rows }: { header: readonly string[]; rows: readonly (readonly string[])[] },
): string[] {
  if (rows.length === 0) return [`No ${what} in ${place}${none}.`]
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)} in ${place}:`
  return [title, ...formatTable(header, rows, ['steps']).map((line) => `  ${line}`)]
}
