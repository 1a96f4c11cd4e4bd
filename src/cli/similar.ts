import { Option, type Command } from 'commander'
import { readRun, RUN_ARGUMENT } from './read-run.ts'
import { withProgress } from './progress.ts'
import { addFilters, type FilterOptions, limitOption, toQuery } from './run-filters.ts'
import { findingStoreOf, jsonOption, type StoreOptions, storeOption } from './shared-options.ts'
import { findSimilar, type SimilarRun } from './similar/find-similar.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { formatTime } from './units.ts'
import { tellUnreadable, type Unreadable, UnreadableRuns } from './unreadable.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun similar refund-twice
  $ npx goldenrun similar 20261121-0214 --tag plan=pro --since 7d
  $ npx goldenrun diff 20261121-0214 --similar`

/** The default number of runs that are listed. */
const usualLimit = 5

/** `goldenrun similar <run>` */
export function addSimilarCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('similar')
    .argument('<run>', RUN_ARGUMENT)
    .summary('find runs that are like this one, and went well')
    .description(
      'Lists the runs of the same agent whose calls are most like those of this run: the same tools with the same arguments, in the same order. Only ' +
        'runs that returned, were not flagged and repeated no side effect; with --all, any.',
    )
    .addOption(storeOption())
  addFilters(command)
    .addOption(limitOption().default(usualLimit, String(usualLimit)))
    .addOption(new Option('--all', 'also runs that failed, were flagged or repeated a side effect'))
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options: SimilarOptions) => {
      const { similar, unreadable } = await similarTo(run, options, terminal)
      if (options.json === true) return terminal.printJson({ runs: similar.map(toJson), unreadable })
      terminal.print(toText(run, similar))
      tellUnreadable(unreadable, terminal)
    })
}

interface SimilarOptions extends FilterOptions, StoreOptions {
  readonly all?: true
}

interface Similar {
  readonly similar: readonly SimilarRun[]
  readonly unreadable: readonly Unreadable[]
}

async function similarTo(run: string, { store: option, all, ...filters }: SimilarOptions, terminal: Terminal): Promise<Similar> {
  const { store } = await findingStoreOf(option)
  const trace = await readRun(run, store)
  const { limit = usualLimit, ...query } = toQuery(filters)
  const left = new UnreadableRuns(store)
  const similar = await withProgress(terminal, ({ tell }) => findSimilar(trace, store, { query, all: all === true, limit }, tell, left.add))
  return { similar, unreadable: await left.list() }
}

function toText(run: string, similar: readonly SimilarRun[]): string {
  const [first] = similar
  if (first === undefined) return 'There is no other run of this agent that went well. To see all runs: --all'
  const rows = similar.map(({ run: { id, status, steps, startedAt }, alignment: { score } }) => [
    `${Math.round(score * 100)} %`,
    id,
    status,
    String(steps),
    formatTime(startedAt),
  ])
  return [
    ...formatTable(['ALIKE', 'ID', 'STATUS', 'STEPS', 'STARTED'], rows, ['ALIKE', 'STEPS']),
    '',
    `To show where they differ: npx goldenrun diff ${first.run.id} ${run}`,
  ].join('\n')
}

function toJson({ run, alignment: { score, pairs } }: SimilarRun): object {
  return { ...run, alike: score, pairs }
}
