import type { GoldenResult } from '../goldens/results/golden-result.ts'

/** What a test tells the reporter of goldens. */
export type ToldResults = readonly GoldenResult[]

declare module 'vitest' {
  interface TaskMeta {
    /** What came of the goldens that a test is of; absent from other tests. */
    goldenrun?: ToldResults
  }

  interface ProvidedContext {
    /** Whether goldenrun's reporter is there; absent where its plugin is not. */
    goldenrun?: boolean
  }
}
