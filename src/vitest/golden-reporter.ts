import picocolors from 'picocolors'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { type GoldenReporterOptions, reportGoldens } from '../goldens/results/report-goldens.ts'
import { printable } from '../trace/printable.ts'
import { watchOf } from './golden-watch.ts'
import { relateGoldens } from './related-goldens.ts'
import { checkGoldens, refuseBrowserMode } from './roots.ts'
import type { ToldResults } from './told.ts'

/** Reporters with machine-readable output, which a further line would break. */
const forPrograms: ReadonlySet<unknown> = new Set(['json', 'junit', 'tap', 'tap-flat'])

/**
 * Summarizes the goldens of a test run in one line, in addition to the reports of failing tests. Its files and the summary of a GitHub job contain
 * each change once. With `-u`, it lists the accepted changes, then writes them. The plugin adds this reporter.
 */
export class GoldenReporter implements Reporter {
  readonly #options: GoldenReporterOptions
  #vitest: Vitest | undefined

  constructor(options: GoldenReporterOptions = {}) {
    this.#options = options
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- Vitest waits for it
  async onInit(vitest: Vitest): Promise<void> {
    this.#vitest = vitest
    await relateGoldens(vitest)
  }

  async onTestRunStart(): Promise<void> {
    if (this.#vitest === undefined) return
    await refuseBrowserMode(this.#vitest)
    await checkGoldens(this.#vitest)
    watchOf(this.#vitest).start((text) => this.#print(`${picocolors.red(printable(text))}\n`))
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const unjudged = this.#vitest === undefined ? [] : watchOf(this.#vitest).end()
    const problem = await reportGoldens([...modules.flatMap(resultsOf), ...unjudged], this.#options, {
      root: this.#vitest?.config.root ?? '',
      isUpdate: this.#vitest?.config.snapshotOptions.updateSnapshot === 'all',
      title: picocolors.dim('     Goldens '),
      print: (text) => this.#print(text),
    })
    if (unjudged.length > 0) process.exitCode = 1
    if (problem === undefined) return
    this.#print(`${picocolors.red(problem)}\n`)
    process.exitCode = 1
  }

  #print(text: string): void {
    const { reporters = [], outputFile } = this.#vitest?.config ?? {}
    const isReadByPrograms =
      outputFile === undefined && reporters.some((reporter) => Array.isArray(reporter) && forPrograms.has(reporter[0]))
    if (!isReadByPrograms) this.#vitest?.logger.log(text)
  }
}

function resultsOf(module: TestModule): ToldResults {
  return [...module.children.allTests()].flatMap((test) => (test.result().state === 'skipped' ? [] : (test.meta().goldenrun ?? [])))
}
