import type { Edit } from './edits.ts'

/** What redacts the texts of a run. */
export interface TextRedactor {
  edits(text: string): readonly Edit[]
  /** Whether rules of the user's may find what spans any characters. */
  readonly hasOwnRules: boolean
  /** Whether fields are known by their path, for which JSON has to be whole. */
  readonly hasPaths: boolean
}

/** Finds the edits of a text that grows. */
export interface GrowingRedaction {
  /** Takes more of the text. */
  add(text: string): void
  /** The text is complete. */
  end(): void
}

/** Tells that a text is settled up to a place, with the edits before it that were not told yet. Places are from the start of the text. */
export type Settle = (upTo: number, edits: readonly Edit[]) => void
