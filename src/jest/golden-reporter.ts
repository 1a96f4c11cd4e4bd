import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import picocolors from 'picocolors'
import { type GoldenReporterOptions, reportGoldens } from '../goldens/results/report-goldens.ts'
import { listenIn, readResults } from './results-folder.ts'

/** What Jest tells of a run, as far as it is used here. */
interface GlobalConfig {
  readonly rootDir: string
}

/**
 * Tells what came of the goldens of a run of Jest in a line; as files and in the summary of a GitHub job each change once. With `-u` it lists what is
 * taken over, and then writes it. The preset `goldenrun/jest` has it.
 *
 * @example
 * // jest.config.js
 * module.exports = { reporters: ['default', 'goldenrun/jest/reporter'] }
 */
export class GoldenReporter {
  readonly #root: string
  readonly #options: GoldenReporterOptions
  #folder: string | undefined
  #problem: Error | undefined

  constructor({ rootDir }: GlobalConfig, options: GoldenReporterOptions = {}) {
    this.#root = rootDir
    this.#options = options
  }

  async onRunStart(): Promise<void> {
    this.#folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-jest-results-'))
    listenIn(this.#folder)
  }

  async onRunComplete(): Promise<void> {
    const folder = this.#folder
    if (folder === undefined) return
    listenIn(undefined)
    const problem = await reportGoldens(readResults(folder), this.#options, {
      root: this.#root,
      title: picocolors.bold('Goldens:    '),
      print: (text) => process.stderr.write(`${text}\n`),
    })
    await rm(folder, { recursive: true, force: true })
    this.#problem = problem === undefined ? undefined : new Error(problem)
  }

  /** Jest fails a run that a reporter says this of. */
  getLastError(): Error | undefined {
    return this.#problem
  }
}
