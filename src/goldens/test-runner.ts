import type { GoldenResult } from './results/golden-result.ts'

/** The test runner that this is loaded in. */
export interface TestRunner {
  /** How its command line is called, without the package manager: `vitest run`. */
  readonly command: string
  /** The file of the test that runs: an absolute path. */
  testPath(): string | undefined
  /** Whether somebody is there who is told results, and writes what is rebased. */
  hasReporter(): boolean
  /** Whether snapshots are to be updated: `-u`. */
  isUpdate(): boolean
  /** Tells the reporter what came of a golden in a hand-written test. @param assertion What a matcher has as its `this`. */
  tell(assertion: object, result: Omit<GoldenResult, 'test'>): void
}

let runner: TestRunner | undefined

/** Says which test runner this is loaded in. */
export function tellTestRunner(told: TestRunner): void {
  runner = told
}

/** The test runner that this is loaded in, as far as one was told. */
export function currentTestRunner(): TestRunner | undefined {
  return runner
}
