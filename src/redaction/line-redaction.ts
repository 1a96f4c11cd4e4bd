import { knownOrMade } from '../trace/remember.ts'
import { parseJson } from '../trace/json.ts'
import { applyEdits, type Edit, mergeEdits, moveEdits } from './edits.ts'
import type { GrowingRedaction, Settle, TextRedactor } from './growing-redaction.ts'
import { PiecewiseRedaction } from './piecewise-redaction.ts'
import { Places } from './places.ts'
import { PlainRedaction } from './plain-redaction.ts'

/** Names of fields in which a text arrives bit by bit, in the events of every provider. */
export const textFields: string =
  'content|text|delta|input|arguments|partial_json|thinking|reasoning|reasoning_content|refusal|response|transcript|data'

const bit = new RegExp(`"(${textFields})"\\s*:\\s*("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")`, 'g')

/** Identifies the text of a bit: a number, an item, or the type of an event if types have dotted names. */
const place = /"(?:\w*[iI]ndex|item_id)"\s*:\s*(?:\d+|"[^"\\]*")|"type"\s*:\s*"[^"\\.]*\.[^"\\]*"/g

/**
 * Redacts lines of JSON, as in an event stream: each line by itself, and each text that arrives bit by bit as the complete text. A line waits while a
 * text in it ends in the possible beginning of a secret.
 */
export class LineRedaction implements GrowingRedaction {
  readonly #redactor: TextRedactor
  readonly #lines: Places<SettledLine>
  readonly #texts = new Map<string, PiecewiseRedaction>()
  #open = ''
  #start = 0
  #before: LineBefore | undefined

  constructor(redactor: TextRedactor, settle: Settle) {
    this.#redactor = redactor
    this.#lines = new Places(({ end, edits }) => settle(end, edits))
  }

  add(text: string): void {
    this.#open += text
    const end = this.#open.lastIndexOf('\n') + 1
    if (end > 0) this.#take(end)
  }

  end(): void {
    this.#take(this.#open.length)
    for (const text of this.#texts.values()) text.end()
  }

  #take(length: number): void {
    for (let start = 0; start < length;) {
      const end = this.#open.indexOf('\n', start) + 1
      const next = end === 0 || end > length ? length : afterLineBreaks(this.#open, end, length)
      this.#addLine(this.#open.slice(start, next))
      start = next
    }
    this.#open = this.#open.slice(length)
  }

  #addLine(text: string): void {
    const start = this.#start
    this.#start += text.length
    const end = this.#start
    const { edits, bits } = this.#likeBefore(text) ?? this.#readLine(text)
    if (bits.length === 0) return this.#lines.push({ end, edits: moveEdits(edits, start) })
    const fill = this.#lines.reserve()
    let all = edits
    let missing = bits.length
    for (const { of, ...part } of bits) {
      this.#textOf(of).add(part.text, (redacted) => {
        if (redacted !== part.text) all = mergeEdits(all, [{ start: part.start, end: part.end, text: writeLiteral(redacted) }])
        missing -= 1
        if (missing === 0) fill({ end, edits: moveEdits(all, start) })
      })
    }
  }

  /**
   * Handles a line that differs from the previous one only in the text of its single bit, as nearly all lines of most streams do. Returns undefined
   * for other lines.
   */
  #likeBefore(text: string): ReadLine | undefined {
    if (this.#before === undefined) return undefined
    const { head, tail, blanked, of } = this.#before
    const [start, end] = [head.length, text.length - tail.length]
    if (end < start || !text.startsWith(head) || !text.endsWith(tail)) return undefined
    const said = text.slice(start, end)
    // More secrets may be known by now.
    if (!plainText.test(said) || this.#redactor.edits(blanked).length > 0) return undefined
    return { edits: [], bits: [{ of, start: start - 1, end: end + 1, text: said }] }
  }

  #readLine(text: string): ReadLine {
    const found = findBits(text)
    // The bits are checked as parts of their texts.
    const blanks = found.map(({ start, end }): Edit => ({ start, end, text: ' '.repeat(end - start) }))
    const blanked = applyEdits(text, blanks)
    const edits = this.#redactor.edits(blanked)
    const places = found.length === 0 ? '' : (text.match(place) ?? []).join()
    const bits = found.map(({ name, ...part }, index): Bit => {
      // A second bit with the same name in a line belongs to a different text.
      const ordinal = found.slice(0, index).filter((other) => other.name === name).length
      return { ...part, of: `${name} ${ordinal} ${places}` }
    })
    const [only] = bits
    const isAlone = bits.length === 1 && edits.length === 0
    this.#before =
      only && isAlone ? { head: text.slice(0, only.start + 1), tail: text.slice(only.end - 1), blanked, of: only.of } : undefined
    return { edits, bits }
  }

  #textOf(key: string): PiecewiseRedaction {
    return knownOrMade(this.#texts, key, () => new PiecewiseRedaction((settle) => new PlainRedaction(this.#redactor, settle)))
  }
}

/** A completely known line: where it ends, and its edits, counted from the start of the stream. */
interface SettledLine {
  readonly end: number
  readonly edits: readonly Edit[]
}

/** A part of a text that arrives bit by bit: the literal in a line, its content, and the text that it belongs to. */
interface Bit {
  readonly of: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The parts of a line that have to be checked. */
interface ReadLine {
  readonly edits: readonly Edit[]
  readonly bits: readonly Bit[]
}

/** A line with one bit and nothing else to redact: the parts before and after the bit, and the line without it. */
interface LineBefore {
  readonly head: string
  readonly tail: string
  readonly blanked: string
  readonly of: string
}

/** Returns where the text continues after a line that ends at `end`; blank lines count as part of the line. */
function afterLineBreaks(text: string, end: number, length: number): number {
  let next = end
  while (next < length && text[next] === '\n') next += 1
  return next
}

/** @note `matchAll` costs twice as much, and so do named groups: there is one line per word of a model's answer. */
function findBits(line: string): (Omit<Bit, 'of'> & { readonly name: string })[] {
  const bits: (Omit<Bit, 'of'> & { readonly name: string })[] = []
  bit.lastIndex = 0
  for (let found = bit.exec(line); found !== null; found = bit.exec(line)) {
    const [, name = '', literal = '""'] = found
    const end = bit.lastIndex
    bits.push({ name, start: end - literal.length, end, text: readLiteral(literal) })
  }
  return bits
}

/** Printable ASCII without escapes, and a literal of such characters. */
const plainText = /^[ !#-[\]-~]*$/
const plainLiteral = /^"[ !#-[\]-~]*"$/

function readLiteral(literal: string): string {
  if (plainLiteral.test(literal)) return literal.slice(1, -1)
  const text = Buffer.from(literal, 'latin1').toString()
  return (parseJson(text) as string | undefined) ?? text
}

function writeLiteral(text: string): string {
  return Buffer.from(JSON.stringify(text)).toString('latin1')
}
