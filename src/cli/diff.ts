import { Option, type Command } from 'commander'
import { reportDivergences } from '../divergence/report.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import { toMarkdown } from '../divergence/report/markdown.ts'
import type { ReportedRun } from '../divergence/report/reported-run.ts'
import { toTerminal } from '../divergence/report/terminal.ts'
import { compareRuns, type Comparison } from '../replay/compare/compare-runs.ts'
import { readRun, RUN_ARGUMENT } from './read-run.ts'
import { DIVERGED } from './exit-status.ts'
import { withProgress } from './progress.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { formatStepPairs, stateOf } from './step-pairs.ts'
import type { Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun diff cancel-unshipped latest
  $ npx goldenrun diff 20261121-0214 20261121-0307 --markdown`

/** `goldenrun diff <a> <b>` */
export function addDiffCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  program
    .command('diff')
    .argument('<a>', RUN_ARGUMENT)
    .argument('<b>', 'the same')
    .summary('show where two runs differ')
    .description('Shows the steps of two runs side by side, and where and why the second first differs from the first.')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addOption(new Option('--markdown', 'print Markdown, for a comment on a pull request').conflicts('json'))
    .addHelpText('after', EXAMPLES)
    .action(async (a: string, b: string, options: DiffOptions) => {
      const store = await storeOf(options.store)
      const [traceA, traceB] = [await readRun(a, store), await readRun(b, store)]
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
}

/** A comparison in the form of a reported run: `b` takes the place of the replay, with step numbers of `a`. */
function toReportedRun({ a, b, divergences, steps }: Comparison): ReportedRun {
  return {
    trace: a,
    outcome: { status: b.end === undefined ? 'stopped' : b.end.error === undefined ? 'returned' : 'threw' },
    divergences,
    steps: steps.flatMap((pair) => (pair.b === undefined || pair.a === undefined ? [] : [{ ...pair.b, step: pair.a.step }])),
    other: b.header.golden?.name ?? b.header.id,
  }
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
