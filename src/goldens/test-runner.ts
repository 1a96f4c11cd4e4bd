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

/** Sets the test runner that runs this code. */
export function tellTestRunner(told: TestRunner): void {
  runner = told
}

/** The test runner that runs this code, if it was set. */
export function currentTestRunner(): TestRunner | undefined {
  return runner
}
