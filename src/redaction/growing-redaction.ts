import type { Edit } from './edits.ts'

/** What redacts the texts of a run. */
export interface TextRedactor {
  /** Where a text changes. */
  edits(text: string): readonly Edit[]
  /** Whether rules of the user's may find what spans any characters. */
  readonly hasOwnRules: boolean
  /** Whether fields are known by their path, for which JSON has to be whole. */
  readonly hasPaths: boolean
}

/** Redacts a body that comes in pieces, each into a place of its own. Bytes are given as characters (latin1). */
export interface BodyRedaction {
  /** Takes a piece; `hand` is called with it, redacted, at once or when more of the body is known. */
  add(piece: string, hand: (piece: string) => void): void
  /** The body is complete: hands on what waits. */
  end(): void
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
