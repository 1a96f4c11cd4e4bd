import { Option, type Command } from 'commander'
import { reportDivergences } from '../divergence/create-report.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import { toMarkdown } from '../divergence/report/markdown.ts'
import { toTerminal } from '../divergence/report/to-terminal.ts'
import { compareRuns, type Comparison } from '../replay/compare/compare-runs.ts'
import { toReportedRun } from '../replay/compare/to-reported-run.ts'
import { compareSeveral, type SeveralRuns } from '../replay/compare/compare-several.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Trace } from '../trace/trace.ts'
import { formatSeveral, severalToJson } from './diff/several-runs.ts'
import { readRun, RUN_ARGUMENT } from './read-run.ts'
import { DIVERGED } from './exit-status.ts'
import { withProgress } from './progress.ts'
import { findSimilar } from './similar/find-similar.ts'
import { findingStoreOf, jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { formatStepPairs, stateOf } from './step-pairs.ts'
import type { Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun diff cancel-unshipped latest
  $ npx goldenrun diff 20261121-0214 20261121-0307 --markdown
  $ npx goldenrun diff refund-twice --similar
  $ npx goldenrun diff 20261121-0214 20261121-0307 20261121-0311`

/** `goldenrun diff <runs…>` */
export function addDiffCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  program
    .command('diff')
    .argument('<runs...>', RUN_ARGUMENT)
    .summary('show where runs differ')
    .description(
      'Shows the steps of two runs side by side, and where and why the second first differs from the first. Of three or more runs, a table: how each ' +
        'ended, and where it first differs from the first.',
    )
    .option('--similar', 'compare one run with the most similar one that went well')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addOption(new Option('--markdown', 'print Markdown, for a comment on a pull request').conflicts('json'))
    .addHelpText('after', EXAMPLES)
    .action(async (runs: readonly string[], options: DiffOptions, command: Command) => {
      const wanted = options.similar === true ? 1 : 2
      if (runs.length < wanted || (options.similar === true && runs.length > 1))
        command.error(options.similar === true ? 'error: --similar takes one run' : 'error: two runs are needed, or one and --similar')
      const traces = await readRuns(runs, options, terminal)
      const [traceA, traceB, ...others] = traces
      if (traceA === undefined || traceB === undefined) return
      if (others.length > 0) return tellSeveral(await compareSeveral(traces), options, terminal, onStatus)
      const comparison = await withProgress(terminal, (progress) => {
        progress.tell(`Comparing ${traceA.steps.length} steps with ${traceB.steps.length}`)
        return compareRuns(traceA, traceB)
      })
      const report = reportDivergences(toReportedRun(comparison))
      if (options.json === true) terminal.printJson(toJson(comparison))
      else if (options.markdown === true) terminal.print(toMarkdown(report))
      else {
        const style = { color: terminal.colors.isColorSupported, width: terminal.width }
        // The steps of both runs are printed below.
        const blocks = [toTerminal({ ...report, steps: [] }, style)]
        if (comparison.divergences.length > 0) blocks.push(formatStepPairs(comparison, terminal).join('\n'))
        terminal.print(blocks.join('\n\n'))
      }
      if (comparison.divergences.length > 0) onStatus(DIVERGED)
    })
}

interface DiffOptions extends StoreOptions {
  readonly markdown?: true
  readonly similar?: true
}

async function readRuns(runs: readonly string[], { store: option, similar }: DiffOptions, terminal: Terminal): Promise<Trace[]> {
  if (similar !== true) {
    const store = await storeOf(option)
    return await Promise.all(runs.map((run) => readRun(run, store)))
  }
  const { store } = await findingStoreOf(option)
  const trace = await readRun(runs[0] ?? '', store)
  const query = { query: {}, all: false, limit: 1 }
  const [best] = await withProgress(terminal, ({ tell }) => findSimilar(trace, store, query, tell))
  if (best === undefined)
    throw new GoldenrunError(
      'GOLDENRUN_SIMILAR',
      'There is no other run of this agent that went well. Compare with one that you name: npx goldenrun diff <a> <b>',
    )
  terminal.printError(`Compared with ${best.run.id}, ${Math.round(best.alignment.score * 100)} % alike.`)
  return [best.trace, trace]
}

function tellSeveral(several: SeveralRuns, { json, markdown }: DiffOptions, terminal: Terminal, onStatus: (status: number) => void): void {
  const text = formatSeveral(several)
  if (json === true) terminal.printJson(severalToJson(several))
  else terminal.print(markdown === true ? `\`\`\`text\n${text}\n\`\`\`` : text)
  if (several.runs.some(({ difference }) => difference !== undefined)) onStatus(DIVERGED)
}

function toJson(comparison: Comparison): object {
  const report = toJsonReport(reportDivergences(toReportedRun(comparison)))
  const steps = comparison.steps.map((pair) => ({
    ...(pair.a && { a: pair.a.step }),
    ...(pair.b && { b: pair.b.step }),
    state: stateOf(pair, comparison),
  }))
  return { same: comparison.divergences.length === 0, report, steps }
}
