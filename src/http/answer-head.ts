import type { Undecoded } from '../trace/rows.ts'
import type { HttpHead } from '../trace/http-facts.ts'

/** The head of an HTTP answer at a door. */
export interface AnswerHead extends HttpHead {
  /** Replaying: the headers are those that were received, with the connection's. Otherwise, the door adds the connection's. */
  readonly isReceived?: boolean
  /** Replaying: returns what is known of the body that follows. Absent if nothing is. */
  readonly body?: () => KnownBody
  /** Replaying: called when the agent reads one of the headers that were left out. */
  readonly onLeftOut?: ((name: string) => void) | undefined
}

/** The pieces of an answer's body. */
export interface KnownBody {
  readonly pieces: readonly BodyPiece[]
  /** Whether the body ends after them. Otherwise, the answer was cut off there. */
  readonly isWhole: boolean
}

/** A piece of an answer's body. */
export interface BodyPiece {
  /** A text is UTF-8. */
  readonly bytes: Uint8Array | string
  /** Set if the bytes are passed as received, because they are not in the coding of the head. */
  readonly encoded?: Undecoded | undefined
}
