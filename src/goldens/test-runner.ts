import path from 'node:path'
import { lookForGoldensFrom } from '../stores/golden-directory.ts'
import type { GoldenResult } from './results/golden-result.ts'

/** The test runner that runs this code. */
export interface TestRunner {
  /** Its command line without the package manager: `vitest run`. */
  readonly command: string
  /** The file of the running test: an absolute path. */
  testPath(): string | undefined
  /** Whether a reporter is present that receives results and writes rebased goldens. */
  hasReporter(): boolean
  /** Whether snapshots are to be updated: `-u`. */
  isUpdate(): boolean
  /** Sends the result of a golden in a hand-written test to the reporter. @param assertion The `this` of a matcher. */
  tell(assertion: object, result: Omit<GoldenResult, 'test'>): void
}

let runner: TestRunner | undefined

/**
 * Sets the test runner that runs this code. Lookups of goldens start at its test's file: in a workspace, the tests of every package run from one
 * directory.
 */
export function tellTestRunner(told: TestRunner): void {
  runner = told
  lookForGoldensFrom(() => {
    const file = told.testPath()
    return file === undefined ? undefined : path.dirname(file)
  })
}

/** The test runner that runs this code, if it was set. */
export function currentTestRunner(): TestRunner | undefined {
  return runner
}
