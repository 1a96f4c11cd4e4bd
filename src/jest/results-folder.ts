import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { GoldenResult } from '../goldens/results/golden-result.ts'

/** The environment variable that says where test files tell results to the reporter, which runs in another process. */
const VARIABLE = 'GOLDENRUN_JEST_RESULTS'

/** Has every test file that is started from now on tell its results in a folder; undefined: nowhere. */
export function listenIn(folder: string | undefined): void {
  if (folder === undefined) delete process.env[VARIABLE]
  else process.env[VARIABLE] = folder
}

/** Whether somebody listens. */
export function isHeard(): boolean {
  return process.env[VARIABLE] !== undefined
}

/** Tells a result. It stands in a file of its process, so that none writes where another does. */
export function tellResult(result: GoldenResult): void {
  tell(result)
}

/** Tells that a test is tried again: what it has told counts no more. @param test As its results name it. */
export function tellRetry(test: string): void {
  tell({ retried: test })
}

interface Retry {
  readonly retried: string
}

function tell(line: GoldenResult | Retry): void {
  const folder = process.env[VARIABLE]
  if (folder !== undefined) appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}

/** Reads all results of a folder. A golden's own test tells twice, and its last result counts. */
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
