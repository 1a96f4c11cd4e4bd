import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { GoldenResult } from '../goldens/results/golden-result.ts'

/** The environment variable with the folder where test files write results. The reporter runs in a different process and reads them there. */
const VARIABLE = 'GOLDENRUN_JEST_RESULTS'

/** Makes every test file that starts from now on write its results to a folder; undefined stops that. */
export function listenIn(folder: string | undefined): void {
  if (folder === undefined) delete process.env[VARIABLE]
  else process.env[VARIABLE] = folder
}

/** Returns whether a reporter listens. */
export function isHeard(): boolean {
  return process.env[VARIABLE] !== undefined
}

/** Marks that a test is retried, which drops its earlier results. */
interface Retry {
  /** The test's name in its results. */
  readonly retried: string
}

/** Writes a result to a file of this process, so that processes do not write to the same file. */
export function tellReporter(line: GoldenResult | Retry): void {
  const folder = process.env[VARIABLE]
  if (folder !== undefined) appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}

/** Reads all results of a folder. A golden's own test reports twice; the last result counts. */
export function readResults(folder: string): GoldenResult[] {
  return readdirSync(folder).flatMap((file) => readProcess(readFileSync(path.join(folder, file), 'utf8')))
}

function readProcess(text: string): GoldenResult[] {
  const lines = text.split('\n').filter((line) => line !== '')
  let results: GoldenResult[] = []
  for (const line of lines.map((json) => JSON.parse(json) as GoldenResult | Retry)) {
    if ('retried' in line) results = results.filter(({ test }) => test !== line.retried)
    else results = [...results.filter(({ test, file }) => test !== undefined || line.test !== undefined || file !== line.file), line]
  }
  return results
}
