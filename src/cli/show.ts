import type { Command } from 'commander'
import { statusOf } from '../replay/list-traces.ts'
import type { Trace } from '../trace/trace.ts'
import { toRecorded } from '../trace/values.ts'
import { readRun, RUN_ARGUMENT } from './read-run.ts'
import { jsonOption, storeOf, storeOption } from './shared-options.ts'
import type { Terminal } from './terminal.ts'
import { formatTranscript } from './transcript.ts'

/** `goldenrun show <run>` */
export function addShowCommand(program: Command, terminal: Terminal): void {
  program
    .command('show')
    .argument('<run>', RUN_ARGUMENT)
    .summary('print what happened in a run')
    .description('Prints what happened in a run: each step in a line, with checkpoints and notes between, and what came of it.')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  $ npx goldenrun show latest\n  $ npx goldenrun show refund-twice --json')
    .action(async (run: string, options: ShowOptions) => {
      const trace = await readRun(run, await storeOf(options.store))
      if (options.json === true) terminal.printJson(toJson(trace))
      else terminal.print(formatTranscript(trace, terminal).join('\n'))
    })
}

interface ShowOptions {
  readonly store?: string
  readonly json?: true
}

/** The trace with its values as they stand in its file; each on its own, since a value has a limit to its size. */
function toJson(trace: Trace): object {
  const { header, rows, steps, checkpoints, end, hash } = trace
  return {
    status: statusOf(trace),
    header: toRecorded(header),
    steps: steps.map((step) => toRecorded(step)),
    checkpoints: checkpoints.map((checkpoint) => toRecorded(checkpoint)),
    notes: rows.filter((row) => row.kind === 'note'),
    end: end === undefined ? null : toRecorded(end),
    hash,
  }
}
