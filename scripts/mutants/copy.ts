import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Drawn, listFiles } from './draw-mutants.ts'
import { writeMutants } from './write-mutants.ts'

/** The result of a Vitest run. */
export interface TestRun {
  /** The files that failed; all of them if the run hung or broke. */
  readonly failed: readonly string[]
  /** The seconds that each file took. */
  readonly seconds: Readonly<Record<string, number>>
}

export interface TestOptions {
  readonly files: readonly string[]
  /** The numbers of the active mutants. */
  readonly active?: readonly number[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** In seconds. */
  readonly timeLimit: number
}

/** A copy of the repository with all mutants in its sources, none of them active. */
export class Copy implements Disposable {
  readonly folder: string = realpathSync(mkdtempSync(path.join(tmpdir(), 'goldenrun-mutants-')))
  #running: ChildProcess | undefined

  constructor({ places }: Drawn) {
    process.once('exit', () => this[Symbol.dispose]())
    for (const file of listFiles('**')) cpSync(file, path.join(this.folder, file), { verbatimSymlinks: true })
    symlinkSync(path.resolve('node_modules'), path.join(this.folder, 'node_modules'), 'junction')
    for (const [file, all] of places) writeFileSync(path.join(this.folder, file), writeMutants(readFileSync(file, 'utf8'), all))
  }

  /** Runs test files of the ordinary suite; all of them if none are given. */
  async test({ files, active = [], args = [], env = {}, timeLimit }: TestOptions): Promise<TestRun> {
    const report = path.join(this.folder, 'report.json')
    rmSync(report, { force: true })
    const all = ['run', '--project=shared', '--project=alone', '--reporter=json', `--outputFile=${report}`, ...args, ...files]
    const status = await this.#run(['node_modules/vitest/vitest.mjs', ...all], { ...env, GOLDENRUN_MUTANTS: active.join(',') }, timeLimit)
    const { testResults } = status === null ? { testResults: [] } : readReport(report)
    const nameOf = ({ name }: FileResult): string => path.relative(this.folder, name)
    const seconds = testResults.map((file) => [nameOf(file), (file.endTime - file.startTime) / 1000])
    return { failed: status === 0 ? [] : (failedOf(testResults, nameOf) ?? files), seconds: Object.fromEntries(seconds) }
  }

  /** Returns the exit status; null if the time limit ended it. */
  async #run(args: readonly string[], env: Readonly<Record<string, string>>, timeLimit: number): Promise<number | null> {
    this.#running = spawn(process.execPath, args, { cwd: this.folder, env: { ...process.env, ...env }, stdio: 'ignore', detached: true })
    const { promise, resolve } = Promise.withResolvers<number | null>()
    this.#running.once('exit', resolve)
    const timer = setTimeout(() => this.#end(), timeLimit * 1000)
    const status = await promise
    clearTimeout(timer)
    this.#running = undefined
    return status
  }

  /** Kills the whole process group, including everything that the tests started. */
  #end(): void {
    if (this.#running?.pid !== undefined) process.kill(-this.#running.pid, 'SIGKILL')
  }

  [Symbol.dispose](): void {
    this.#end()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface FileResult {
  readonly name: string
  readonly status: string
  readonly startTime: number
  readonly endTime: number
  readonly assertionResults: readonly { readonly status: string }[]
}

/** @note After `--bail`, files that have not run may count as failed. Files with a failed test take precedence. */
function failedOf(results: readonly FileResult[], nameOf: (file: FileResult) => string): string[] | undefined {
  const withTest = results.filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'failed'))
  const failed = withTest.length > 0 ? withTest : results.filter(({ status }) => status === 'failed')
  return failed.length > 0 ? failed.map(nameOf) : undefined
}

function readReport(file: string): { readonly testResults: readonly FileResult[] } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { testResults: FileResult[] }
  } catch {
    // Vitest broke before it wrote a report.
    return { testResults: [] }
  }
}
