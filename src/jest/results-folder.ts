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
  const folder = process.env[VARIABLE]
  if (folder !== undefined) appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(result)}\n`)
}

/** All that was told in a folder. Of what a test has told more than once, because it was tried again, the last counts. */
export function readResults(folder: string): GoldenResult[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
  const results = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as GoldenResult)
  return [...new Map(results.map((result) => [`${result.file}\n${result.test ?? ''}`, result])).values()]
}
