/** What came of a golden, as its test tells the reporter. */
export interface GoldenResult {
  readonly name: string
  /** Its file, as messages call it. */
  readonly file: string
  /** `failed`: it could not be replayed, or its file reached for the world. */
  readonly status: 'held' | 'not held' | 'failed'
}

declare module 'vitest' {
  interface TaskMeta {
    /** What came of a golden; absent from other tests. */
    goldenrun?: GoldenResult
  }
}
