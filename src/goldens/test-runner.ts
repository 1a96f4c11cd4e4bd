import path from 'node:path'
import { lookForGoldensFrom } from '../stores/golden-directory.ts'
import type { GoldenResult } from './results/golden-result.ts'

/** The test runner that runs this code. */
export interface TestRunner {
  /** Its command line without the package manager: `vitest run`. */
  readonly command: string
  /** Returns the file of the running test: an absolute path. */
  testPath(): string | undefined
  /** Returns whether a reporter is present that receives results and writes rebased goldens. */
  hasReporter(): boolean
  /** Returns whether snapshots are to be updated: `-u`. */
  isUpdate(): boolean
  /** Sends the result of a golden in a hand-written test to the reporter. @param assertion The `this` of a matcher. */
  tell(assertion: object, result: Omit<GoldenResult, 'test'>): void
}

let runner: TestRunner | undefined

/**
 * Sets the test runner that runs this code. The search for goldens starts at its test's file: in a workspace, the tests of all packages run from one
 * directory.
 */
export function tellTestRunner(told: TestRunner): void {
  runner = told
  lookForGoldensFrom(() => {
    const file = told.testPath()
    return file === undefined ? undefined : path.dirname(file)
  })
}

/** Returns the test runner that runs this code; undefined if it was not set. */
export function currentTestRunner(): TestRunner | undefined {
  return runner
}
