import { applyEdits, type Edit, mergeEdits } from './edits.ts'
import type { GrowingRedaction, Settle, TextRedactor } from './growing-redaction.ts'
import { PiecewiseRedaction } from './piecewise-redaction.ts'
import { PlainRedaction } from './plain-redaction.ts'

/** Fields in which a text comes bit by bit, in the events of every provider. */
const bit =
  /"(content|text|delta|input|arguments|partial_json|thinking|reasoning|reasoning_content|refusal|response|transcript|data)"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")/g

/** What says which text a bit is of: a number, an item, the kind of an event where kinds have dotted names. */
const place = /"(?:\w*[iI]ndex|item_id)"\s*:\s*(?:\d+|"[^"\\]*")|"type"\s*:\s*"[^"\\.]*\.[^"\\]*"/g

/**
 * Redacts lines of JSON, as a stream of events is made of: each line by itself, and each text that comes bit by bit as the text that it will be. A
 * line waits while a text in it ends in what may be the beginning of a secret.
 */
export class LineRedaction implements GrowingRedaction {
  readonly #redactor: TextRedactor
  readonly #settle: Settle
  readonly #texts = new Map<string, PiecewiseRedaction>()
  readonly #lines: Line[] = []
  #open = ''
  #start = 0

  constructor(redactor: TextRedactor, settle: Settle) {
    this.#redactor = redactor
    this.#settle = settle
  }

  add(text: string): void {
    this.#open += text
    const end = this.#open.lastIndexOf('\n') + 1
    if (end > 0) this.#take(end)
  }

  end(): void {
    this.#take(this.#open.length)
    for (const text of this.#texts.values()) text.end()
    this.#flush()
  }

  #take(length: number): void {
    for (let start = 0; start < length;) {
      const end = this.#open.indexOf('\n', start) + 1
      const next = end === 0 || end > length ? length : end
      this.#addLine(this.#open.slice(start, next))
      start = next
    }
    this.#open = this.#open.slice(length)
    this.#flush()
  }

  #addLine(text: string): void {
    const start = this.#start
    this.#start += text.length
    const bits = findBits(text)
    // The bits are looked at as parts of their texts.
    const blanks = bits.map((part): Edit => ({ start: part.start, end: part.end, text: ' '.repeat(part.end - part.start) }))
    const edits = this.#redactor.edits(applyEdits(text, blanks))
    const line: Line = { start, end: this.#start, edits, waitsFor: bits.length }
    this.#lines.push(line)
    const places = bits.length === 0 ? '' : (text.match(place) ?? []).join()
    for (const [index, part] of bits.entries()) {
      // A second one of a name in a line is of another text.
      const ordinal = bits.slice(0, index).filter(({ name }) => name === part.name).length
      this.#textOf(`${part.name} ${ordinal} ${places}`).add(part.text, (redacted) => {
        if (redacted !== part.text)
          line.edits = mergeEdits(line.edits, [{ start: part.start, end: part.end, text: writeLiteral(redacted) }])
        line.waitsFor -= 1
      })
    }
  }

  #textOf(key: string): PiecewiseRedaction {
    let text = this.#texts.get(key)
    if (text === undefined) {
      text = new PiecewiseRedaction((settle) => new PlainRedaction(this.#redactor, settle))
      this.#texts.set(key, text)
    }
    return text
  }

  #flush(): void {
    for (;;) {
      const [next] = this.#lines
      if (next === undefined || next.waitsFor > 0) return
      this.#lines.shift()
      const { start } = next
      this.#settle(
        next.end,
        next.edits.map((edit) => ({ start: start + edit.start, end: start + edit.end, text: edit.text })),
      )
    }
  }
}

interface Line {
  readonly start: number
  readonly end: number
  /** From the line's start. */
  edits: readonly Edit[]
  /** Bits of texts whose ends are not known yet. */
  waitsFor: number
}

/** A part of a text that comes bit by bit: the literal in a line, and what it says. */
interface Bit {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** @note `matchAll` costs twice that, and so do names of groups: there is a line for each word that a model says. */
function findBits(line: string): Bit[] {
  const bits: Bit[] = []
  bit.lastIndex = 0
  for (let found = bit.exec(line); found !== null; found = bit.exec(line)) {
    const [, name = '', literal = '""'] = found
    const end = bit.lastIndex
    bits.push({ name, start: end - literal.length, end, text: readLiteral(literal) })
  }
  return bits
}

/** Of printable ASCII without escapes. */
const plainLiteral = /^"[ !#-[\]-~]*"$/

function readLiteral(literal: string): string {
  if (plainLiteral.test(literal)) return literal.slice(1, -1)
  const text = Buffer.from(literal, 'latin1').toString()
  try {
    return JSON.parse(text) as string
  } catch {
    return text
  }
}

function writeLiteral(text: string): string {
  return Buffer.from(JSON.stringify(text)).toString('latin1')
}
