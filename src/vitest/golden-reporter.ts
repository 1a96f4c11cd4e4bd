import picocolors from 'picocolors'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import type { GoldenResult } from './golden-result.ts'

/** Reporters whose output is for programs: a line between theirs would break it. */
const forPrograms: ReadonlySet<unknown> = new Set(['json', 'junit', 'tap', 'tap-flat'])

/** Tells what came of the goldens of a run, in a line. The plugin brings it. */
export class GoldenReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap(resultsOf)
    if (results.length > 0 && !this.#isReadByPrograms()) this.#vitest?.logger.log(summaryLine(results))
  }

  #isReadByPrograms(): boolean {
    const { reporters = [], outputFile } = this.#vitest?.config ?? {}
    return outputFile === undefined && reporters.some((reporter) => Array.isArray(reporter) && forPrograms.has(reporter[0]))
  }
}

function resultsOf(module: TestModule): GoldenResult[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { goldenrun } = test.meta()
    return goldenrun === undefined || test.result().state === 'skipped' ? [] : [goldenrun]
  })
}

/** In the words and the place of Vitest's own summary. */
function summaryLine(results: readonly GoldenResult[]): string {
  const { bold, dim, green, red } = picocolors
  const count = (status: GoldenResult['status'], color: (text: string) => string): string[] => {
    const { length } = results.filter((result) => result.status === status)
    return length === 0 ? [] : [bold(color(`${length} ${status}`))]
  }
  const counts = [...count('not held', red), ...count('failed', red), ...count('held', green)]
  return `${dim('     Goldens ')} ${counts.join(dim(' | '))}${dim(` (${results.length})`)}\n`
}
