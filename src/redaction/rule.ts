import type { Shape } from './stand-in.ts'
import { isWordStart } from './word-start.ts'

/** A secret that a rule found in a text. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly shape: Shape
  /** How many characters stay at its start and end: a vendor's prefix, the lines around a key. */
  readonly kept?: { readonly start: number; readonly end: number }
  /** The same for every written form of the value. Default: the text as written, without escapes. */
  readonly identity?: string
  /** The rule that found it. Set only if secrets are handed over. */
  readonly rule?: string
  /** Whether a person may see it again: see `markRevealable`. Default: no. */
  readonly isRevealable?: boolean
}

/** Finds one kind of secret. */
export interface Rule {
  /** The name in the trace's header. */
  readonly name: string
  /**
   * A part of every text with such a secret. Every body is searched for it. Cheapest is a literal (`PRIVATE`), then a pattern that begins with one of
   * two or more rare characters and looks back from there; digits are spelled out (`\d\d`, not `\d{2}`). Default: none is known.
   */
  readonly hint?: RegExp
  /** Instead of a hint: literals of at least four characters, one of which every text with such a secret contains. Those of all rules are found in one pass. */
  readonly literals?: readonly string[]
  /** Returns whether the values of fields with this name may be such secrets, whatever their shape. Default: never. */
  readonly isField?: (name: string) => boolean
  /** Returns whether the item after an option with this name, in a list of arguments, is the value of such a field. Default: never. */
  readonly isOption?: (name: string) => boolean
  /** Whether the pieces of an output that was handed out piece by piece are searched as one text. Default: no. */
  readonly joinsPieces?: true
  /** Whether texts that are encoded in base64 are searched. */
  readonly readsEncoded?: true
  /** Whether the values of environment variables that hold credentials are secret. */
  readonly knowsEnvironment?: true
  /**
   * Finds the secrets in a text.
   *
   * @param field The name of the field whose value the text is, if the `isField` of a rule recognises it.
   * @param holder The name of the field, whether or not a rule recognises it.
   */
  find(text: string, field?: string, holder?: string): Iterable<Found>
}

/** Returns whether a text has what every text with a secret of a rule has. */
export function mayHold({ hint, literals }: Rule, text: string): boolean {
  return literals === undefined ? hint?.test(text) !== false : literals.some((literal) => text.includes(literal))
}

/** The hint of a rule that finds nothing by itself. */
export const findsNothing: RegExp = /(?!)/

/** Like `findPattern`, for matches that are words of their own. */
export function* findWords(text: string, pattern: RegExp, shape?: Shape): Generator<Found> {
  for (const found of findPattern(text, pattern, shape)) if (isWordStart(text, found.start)) yield found
}

/** Finds the matches of a pattern: the group `secret`, or the whole match. */
export function* findPattern(text: string, pattern: RegExp, shape: Shape = 'word'): Generator<Found> {
  for (const match of text.matchAll(pattern)) {
    const { secret, start = '', end = '' } = match.groups ?? {}
    const whole = secret ?? match[0]
    const at = match.index + (secret === undefined ? 0 : match[0].lastIndexOf(secret))
    if (whole !== '') yield { start: at, end: at + whole.length, shape, kept: { start: start.length, end: end.length } }
  }
}
