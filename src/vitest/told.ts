import type { GoldenResult } from '../goldens/results/golden-result.ts'

/** A test's results of its goldens. */
export type ToldResults = readonly GoldenResult[]

declare module 'vitest' {
  interface TaskMeta {
    /** The results of a test's goldens; absent for other tests. */
    goldenrun?: ToldResults
  }

  interface ProvidedContext {
    /** Whether goldenrun's reporter is present; absent without its plugin. */
    goldenrun?: boolean
    /** The folder where workers say which golden they have begun. */
    goldenrunBegun?: string
  }
}
