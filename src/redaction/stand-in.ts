import type { StandInRow } from '../trace/stand-in-row.ts'

/** The shape of a stand-in, which is the shape of its secret. */
export type Shape = 'word' | 'email' | 'card' | 'phone' | 'token' | 'account' | 'social-security'

/** The kind of secret that a stand-in reveals. */
export type StandInKind = 'email' | 'card' | 'phone' | 'secret'

/** A stand-in found in a text. */
export interface FoundStandIn {
  readonly start: number
  readonly end: number
  /** Its number within the trace: the same for the same value, in every written form. */
  readonly number: number
  readonly kind: StandInKind
  /** The text to compare in its place: the same for all values of its kind that are written alike. */
  readonly blank: string
}

/** A secret that gets a stand-in. */
export interface Secret {
  readonly shape: Shape
  /** The secret as written in a text. */
  readonly written: string
  /** How many characters stay at its start and end: a vendor's prefix, the lines around a key. */
  readonly kept: { readonly start: number; readonly end: number }
  /** The same for every written form of the value. */
  readonly identity: string
  /** Returns whether a text may not be a stand-in: it is a value of the run itself. Default: any text may. */
  readonly isTaken?: (text: string) => boolean
}

/** The stand-ins of a trace: those that it has, and those that a redactor makes for more values. */
export interface StandIns {
  /** The highest number among those that the trace has. 0 if there are none. */
  readonly last: number
  /** The rows that list them; none if they are known by their shape. */
  readonly rows: readonly StandInRow[]
  /** How many a redactor has made. */
  readonly made: number
  /** Whether a stand-in is written as its secret was, with the same escapes. */
  readonly keepsForm: boolean
  /** Finds the stand-ins in a text, in order. */
  find(text: string): FoundStandIn[]
  /** Returns the stand-in of a secret, as the secret is written, with what stays of it. Makes one for a new value. */
  standInFor(secret: Secret): string
  /** Returns the stand-in of a number that a path names. */
  standInForNumber(value: number, isTaken: Secret['isTaken']): number
  /** Returns a different stand-in in the written form of a found one. */
  rewrite(written: string, number: number): string
  /** Returns the names of the environment variables that had the value. */
  variablesOf(number: number): readonly string[]
}

/** A trace without stand-ins. */
export const noStandIns: Pick<StandIns, 'find' | 'last' | 'rewrite' | 'variablesOf'> = {
  last: 0,
  find: () => [],
  rewrite: (written) => written,
  variablesOf: () => [],
}

/** Returns what is compared in place of a found stand-in: an address in any case, a number in its groups. */
export function blankOf(kind: StandInKind, written: string): string {
  if (kind === 'secret') return '#'
  if (kind === 'email') return `#${/%40|\\+u0040|@/i.exec(written)?.[0] ?? ''}#`
  return written.replaceAll(/%2[089]|\d+/g, (found) => (found.startsWith('%') ? found : '#'))
}
