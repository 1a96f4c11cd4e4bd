import type { Shape } from './stand-in.ts'
import { isWordStart } from './word-start.ts'

/** A secret that a rule found in a text. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly shape: Shape
  /** How many characters stay at its start and at its end: a vendor's prefix, the lines around a key. */
  readonly kept?: { readonly start: number; readonly end: number }
  /** The same for every way in which the value is written. Default: the text as it stands, without escapes. */
  readonly identity?: string
  /** The rule that found it. Only known if secrets are handed over. */
  readonly rule?: string
  /** Whether a person may see it again: see `markRevealable`. Default: no. */
  readonly isRevealable?: boolean
}

/** Finds one kind of secret. */
export interface Rule {
  /** Named in the trace's header. */
  readonly name: string
  /**
   * What there is in every text with such a secret. All bodies are looked through for it: a literal (`PRIVATE`) costs least, then what begins with one
   * of two or more rare characters and looks back from there; digits are spelled out (`\d\d`, not `\d{2}`). Default: nothing is known.
   */
  readonly hint?: RegExp
  /** Whether what stands in fields of a name may be one, whatever it looks like. Default: in none. */
  readonly isField?: (name: string) => boolean
  /**
   * The secrets in a text.
   *
   * @param field The name of the field whose value the text is, where `isField` of a rule knows it.
   * @param holder The same, whether a rule knows it or not.
   */
  find(text: string, field?: string, holder?: string): Iterable<Found>
}

/** The same for what is a word of its own. */
export function* findWords(text: string, pattern: RegExp, shape?: Shape): Generator<Found> {
  for (const found of findPattern(text, pattern, shape)) if (isWordStart(text, found.start)) yield found
}

/** Where matches of a pattern stand: the group `secret`, or the whole. */
export function* findPattern(text: string, pattern: RegExp, shape: Shape = 'word'): Generator<Found> {
  for (const match of text.matchAll(pattern)) {
    const { secret, start = '', end = '' } = match.groups ?? {}
    const whole = secret ?? match[0]
    const at = match.index + (secret === undefined ? 0 : match[0].lastIndexOf(secret))
    if (whole !== '') yield { start: at, end: at + whole.length, shape, kept: { start: start.length, end: end.length } }
  }
}
