import type { Edit } from './edits.ts'
import type { StandIns } from './stand-in.ts'

/** Redacts the texts of a run. */
export interface TextRedactor {
  /** Returns the changes to a text. */
  edits(text: string): readonly Edit[]
  /** Whether the user's own rules may match arbitrary spans. */
  readonly hasOwnRules: boolean
  /** Whether rules match fields by path, which requires complete JSON. */
  readonly hasPaths: boolean
  /** The stand-ins that it finds and makes. */
  readonly standIns: Pick<StandIns, 'find'>
}

/** Redacts a body that arrives in pieces, each into its own place. Bytes are given as characters (latin1). */
export interface BodyRedaction {
  /** Takes a piece; calls `hand` with the redacted piece, synchronously or once more of the body is known. */
  add(piece: string, hand: (piece: string) => void): void
  /** Ends the body: hands on the pieces that wait. */
  end(): void
  /** Whether a piece was handed on that is not as it came. */
  readonly hasChanged: boolean
}

/** Finds the edits of a text that grows. */
export interface GrowingRedaction {
  /** Adds more of the text. */
  add(text: string): void
  /** Ends the text. */
  end(): void
}

/** Reports that a text is settled up to a place, with the edits before it that are new. Places are counted from the start of the text. */
export type Settle = (upTo: number, edits: readonly Edit[]) => void
