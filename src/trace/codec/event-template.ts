import { parseJson } from '../json.ts'

/** A piece of a stream's text, split into its literals, as they are spelled, and the text between them. */
export interface EventTemplate {
  /** One more than there are literals. */
  readonly gaps: readonly string[]
  readonly literals: readonly string[]
  /** The length of the text. */
  readonly length: number
}

/** A literal in a fill: its value, or its spelling if printing the value would give a different text. */
export type FilledLiteral = string | number | boolean | null | { readonly raw: string }

/** The literals that differ, by their index. */
export type Fill = Readonly<Record<string, FilledLiteral>>

/**
 * Splits a stream's text after each blank line (the end of a server-sent event) and before each line that starts with `{` (newline-delimited JSON).
 * Joining the pieces gives the text.
 */
export function splitEvents(text: string): string[] {
  const events: string[] = []
  let start = 0
  EVENT_END.lastIndex = 0
  while (EVENT_END.test(text) && EVENT_END.lastIndex < text.length) {
    events.push(text.slice(start, EVENT_END.lastIndex))
    start = EVENT_END.lastIndex
  }
  events.push(text.slice(start))
  return events
}

/**
 * Splits an event. Its literals are its JSON strings (except keys), numbers, `true`, `false` and `null`, and runs of two or more spaces.
 * @note Anthropic pads its events with a random number of spaces, so that their size does not reveal the text.
 */
export function parseEvent(text: string): EventTemplate {
  const gaps: string[] = []
  const literals: string[] = []
  let end = 0
  LITERAL.lastIndex = 0
  for (let match = LITERAL.exec(text); match !== null; match = LITERAL.exec(text)) {
    const [literal, colon] = match
    if (colon !== undefined) continue
    gaps.push(text.slice(end, match.index))
    literals.push(literal)
    end = LITERAL.lastIndex
  }
  gaps.push(text.slice(end))
  return { gaps, literals, length: text.length }
}

/** Returns the text of a template with these literals. */
export function printEvent(gaps: readonly string[], literals: readonly string[]): string {
  const parts: string[] = []
  for (let index = 0; index < gaps.length; index += 1) parts.push(gaps[index] ?? '', literals[index] ?? '')
  return parts.join('')
}

/** Returns the literals that differ from an earlier event of the same shape. */
export function toFill(base: readonly string[], literals: readonly string[]): Fill {
  const fill: Record<string, FilledLiteral> = {}
  literals.forEach((literal, index) => {
    if (literal !== base[index]) fill[index] = toFilled(literal)
  })
  return fill
}

/** Applies a fill to the literals of an earlier event; returns undefined if it fills a literal that does not exist. */
export function applyFill(base: readonly string[], fill: Fill): string[] | undefined {
  const literals = [...base]
  for (const key of Object.keys(fill)) {
    const index = Number(key)
    if (!(index < literals.length)) return undefined
    literals[index] = spell(fill[key] ?? null)
  }
  return literals
}

/** Returns how a literal is spelled. */
export function spell(literal: FilledLiteral): string {
  return typeof literal === 'object' && literal !== null ? literal.raw : JSON.stringify(literal)
}

// The string is unrolled, so that a long one is matched without backtracking. A colon after it makes it a key.
const LITERAL = /"[^"\\]*(?:\\.[^"\\]*)*"(\s?:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b| {2,}/g
// The line break comes first because it is rare.
const EVENT_END = /\n(?:(?<=\n\n|\r\n\r\n)|(?=\{))|\r(?<=\r\r)/g

/** A text of printable ASCII without escapes: printing it again gives the same text. */
const PLAIN_TEXT = /^"[ !#-[\]-~]*"$/

function toFilled(literal: string): FilledLiteral {
  if (PLAIN_TEXT.test(literal)) return literal.slice(1, -1)
  const value = parseJson(literal) as string | number | boolean | null | undefined
  return value !== undefined && JSON.stringify(value) === literal ? value : { raw: literal }
}
