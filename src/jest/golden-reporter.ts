import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import picocolors from 'picocolors'
import { beginRecording } from '../goldens/golden-mode.ts'
import { type GoldenReporterOptions, reportGoldens } from '../goldens/results/report-goldens.ts'
import { checkGoldenDirectory } from '../stores/check-golden-directory.ts'
import { listenIn, readResults } from './results-folder.ts'

/** The part of Jest's global config that is used here. */
interface GlobalConfig {
  readonly rootDir: string
  /** `all` with `-u`. */
  readonly updateSnapshot?: 'all' | 'new' | 'none'
}

/**
 * Summarizes the goldens of a Jest run in one line. Its files and the summary of a GitHub job contain each change once. With `-u`, it lists the
 * accepted changes, then writes them. The preset `goldenrun/jest` includes it.
 *
 * @example
 * // jest.config.js
 * module.exports = { reporters: ['default', 'goldenrun/jest/reporter'] }
 */
export class GoldenReporter {
  readonly #root: string
  readonly #isUpdate: boolean
  readonly #options: GoldenReporterOptions
  #folder: string | undefined
  #problem: Error | undefined

  constructor({ rootDir, updateSnapshot }: GlobalConfig, options: GoldenReporterOptions = {}) {
    this.#root = rootDir
    this.#isUpdate = updateSnapshot === 'all'
    this.#options = options
  }

  async onRunStart(): Promise<void> {
    await checkGoldenDirectory(path.join(this.#root, 'golden-traces'))
    this.#folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-jest-results-'))
    listenIn(this.#folder)
    beginRecording()
  }

  async onRunComplete(): Promise<void> {
    const folder = this.#folder
    if (folder === undefined) return
    listenIn(undefined)
    const problem = await reportGoldens(readResults(folder), this.#options, {
      root: this.#root,
      isUpdate: this.#isUpdate,
      title: picocolors.bold('Goldens:    '),
      pages: 'See the runs:',
      print: (text) => process.stderr.write(`${text}\n`),
    })
    await rm(folder, { recursive: true, force: true })
    this.#problem = problem === undefined ? undefined : new Error(problem)
  }

  /** Returns the error that makes Jest fail the run. */
  getLastError(): Error | undefined {
    return this.#problem
  }
}
