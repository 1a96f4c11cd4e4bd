import { Option, type Command } from 'commander'
import { statusOf } from '../replay/traces/list-traces.ts'
import type { Trace } from '../trace/trace.ts'
import { toRecorded } from '../trace/values.ts'
import { revealRun } from './reveal.ts'
import { parseStep } from './incident-options.ts'
import { locateRun, readRunAndFile, readStepAlone, RUN_ARGUMENT } from './read-run.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { checkSteps, parseSteps, type StepRange } from './steps-option.ts'
import type { Terminal } from './terminal.ts'
import { formatSteps } from './inspect/format-inspected.ts'
import { withProgress } from './progress.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { inspectStored } from '../travel/inspect/inspect.ts'
import type { InspectedStep } from '../travel/inspect/inspected-run.ts'
import { formatTranscript } from './transcript.ts'

/** `goldenrun show <run>` */
export function addShowCommand(program: Command, terminal: Terminal): void {
  program
    .command('show')
    .argument('<run>', RUN_ARGUMENT)
    .summary('print what happened in a run')
    .description(
      'Prints what happened in a run: one line per step with its time, its tokens and whether it is a side effect, with checkpoints and notes in between, and the outcome. Long values are cut, and the middle of a long run is folded.',
    )
    .addOption(new Option('--full', 'show every step with its full input and output').conflicts(['step', 'steps']))
    .addOption(new Option('--step <n>', 'show this step in full').argParser(parseStep).conflicts('steps'))
    .option('--steps <a-b>', 'show these steps in full', parseSteps)
    .addOption(
      new Option('--reveal', 'show what redaction took out, if the recorder kept it; who did so is written to the audit log').conflicts(
        'variables',
      ),
    )
    .option('--variables', "also replay the run, and show the agent's variables")
    .option('--no-pager', 'print long output without a pager (default: $PAGER, otherwise less)')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options: ShowOptions) => {
      const store = await storeOf(options.store)
      const alone = options.step === undefined || options.json === true ? undefined : await readStepAlone(run, store, options.step)
      const read = alone === undefined ? await readRunAndFile(run, store) : { trace: alone, flags: [] }
      const revealed = options.reveal === true ? await revealRun(read.trace) : undefined
      const { trace, flags } = { ...read, ...(revealed && { trace: revealed.trace }) }
      const range = options.step === undefined ? options.steps : { from: options.step, to: options.step }
      if (range !== undefined) checkSteps(trace, range)
      const variables = options.variables === true ? await readVariables(run, store, terminal, range) : undefined
      if (options.json === true) return terminal.printJson({ ...toJson(trace, flags, range), ...(variables && { variables }) })
      const transcript = formatTranscript(trace, terminal, range ?? (options.full === true ? 'full' : 'folded'), flags)
      const text = [...transcript, ...(variables === undefined ? [] : ['', ...formatSteps(variables, terminal)])].join('\n')
      const shown = revealed === undefined ? text : revealed.inText(text)
      if (options.pager) await terminal.page(shown)
      else terminal.print(shown)
    })
}

const EXAMPLES = `
Examples:
  $ npx goldenrun show latest
  $ npx goldenrun show latest --step 7
  $ npx goldenrun show latest --step 7 --variables
  $ npx goldenrun show refund-twice --full --no-pager`

interface ShowOptions extends StoreOptions {
  readonly full?: true
  readonly step?: number
  readonly steps?: StepRange
  readonly reveal?: true
  readonly variables?: true
  /** False with `--no-pager`. */
  readonly pager: boolean
}

async function readVariables(
  run: string,
  store: string | TraceStore,
  terminal: Terminal,
  { from, to }: StepRange = { from: 1, to: Infinity },
): Promise<readonly InspectedStep[]> {
  const stored = await locateRun(run, store)
  const { steps } = await withProgress(terminal, async (progress) => {
    progress.tell(`Inspecting ${stored.file}`)
    return await inspectStored(stored)
  })
  return steps.filter(({ step }) => step >= from && step <= to)
}

/**
 * Returns the trace with its values as in its file, and the reasons for which users flagged it. Values are converted one by one, because the size of
 * each is limited.
 */
function toJson(trace: Trace, flags: readonly string[], { from, to }: StepRange = { from: 1, to: Infinity }): object {
  const { header, rows, steps, checkpoints, end, hash } = trace
  return {
    status: statusOf(trace),
    header: toRecorded(header),
    steps: steps.filter(({ step }) => step >= from && step <= to).map((step) => toRecorded(step)),
    checkpoints: checkpoints.map((checkpoint) => toRecorded(checkpoint)),
    flags,
    notes: rows.filter((row) => row.kind === 'note'),
    end: end === undefined ? null : toRecorded(end),
    muted: rows.findLast((row) => row.kind === 'closed')?.muted ?? 0,
    hash,
  }
}
