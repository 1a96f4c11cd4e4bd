import type { Command } from 'commander'
import { listTraces, type TraceSummary } from '../replay/list-traces.ts'
import { displayPath } from '../stores/display-path.ts'
import { findGoldenDirectory } from '../stores/golden-directory.ts'
import type { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Expectation } from '../trace/rows.ts'
import { jsonOption, storeOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { formatTime } from './units.ts'

/** `goldenrun list` */
export function addListCommand(program: Command, terminal: Terminal): void {
  program
    .command('list')
    .summary('list recordings and golden traces')
    .description('Lists the recordings of the store, the newest first, and the golden traces of the project.')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action(async (options: ListOptions) => {
      const lists = await readLists(options.store)
      if (options.json === true) return terminal.printJson(lists)
      terminal.print(formatLists(lists, options.store).join('\n'))
      for (const { message } of lists.unreadable) terminal.printError(message)
    })
}

interface ListOptions {
  readonly store: string
  readonly json?: true
}

interface Lists {
  readonly recordings: readonly Recording[]
  readonly goldens: readonly TraceSummary[]
  readonly unreadable: readonly Unreadable[]
}

interface Recording extends TraceSummary {
  /** The names of the goldens that it was promoted to. */
  readonly goldens: readonly string[]
}

interface Unreadable {
  /** A recording's id, a golden's name. */
  readonly trace: string
  readonly code: string
  readonly message: string
}

async function readLists(store: string): Promise<Lists> {
  const unreadable: Unreadable[] = []
  const onUnreadable = (trace: string, { code, message }: GoldenrunError): void => void unreadable.push({ trace, code, message })
  const goldens = await listTraces({ onUnreadable })
  const recordings = (await listTraces({ store, onUnreadable })).toReversed().map((recording): Recording => {
    const promoted = goldens.flatMap(({ golden }) => (golden?.promotedFrom === recording.id ? [golden.name] : []))
    return { ...recording, goldens: promoted }
  })
  return { recordings, goldens, unreadable }
}

function formatLists({ recordings, goldens }: Lists, store: string): string[] {
  const folder = displayPath(findGoldenDirectory())
  const recorded = formatTable(
    ['id', 'agent', 'status', 'steps', 'started', 'golden', 'flags'],
    recordings.map(({ id, agent, status, steps, startedAt, goldens: names, flags }) => {
      return [id, agent, status, String(steps), formatTime(startedAt), names.join(', '), flags.join('; ')]
    }),
    ['steps'],
  )
  const promoted = formatTable(
    ['name', 'agent', 'status', 'steps', 'expects', 'description'],
    goldens.map(({ golden, file, agent, status, steps }) => {
      return [golden?.name ?? file, agent, status, String(steps), describeExpectation(golden?.expect), golden?.description ?? '']
    }),
    ['steps'],
  )
  return [
    ...(recordings.length === 0 ? [`No recordings in ${displayPath(store)}.`] : [`Recordings in ${displayPath(store)}:`, ...indent(recorded)]),
    '',
    ...(goldens.length === 0 ? [`No golden traces in ${folder}.`] : [`Golden traces in ${folder}:`, ...indent(promoted)]),
  ]
}

/** What a golden asserts, in a few words. */
function describeExpectation(expect: Expectation | undefined): string {
  if (expect === undefined) return 'nothing: not promoted'
  return expect.replay === 'same' ? 'the same run' : `departs by step ${expect.at}`
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
