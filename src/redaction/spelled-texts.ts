import { knownOrMade } from '../trace/remember.ts'
import { isReserved, type PathKey } from '../trace/json.ts'
import { createFinder, type Edit, mergeEdits, moveEdits } from './edits.ts'
import type { TextRedactor } from './growing-redaction.ts'
import { textFields } from './line-redaction.ts'
import { redactPieces } from './piecewise-redaction.ts'
import { redactionOf } from './redaction-of.ts'
import { findsNothing, type Rule } from './rule.ts'

/** Lets a redactor search the pieces of an output that was handed out piece by piece as one text. It finds nothing by itself: its hint fails at once. */
export const streamedOutput: Rule = { name: 'streamed-output', hint: findsNothing, joinsPieces: true, find: () => [] }

/** An output that was handed out piece by piece, in recorded form. */
export interface StreamedOutput {
  readonly yielded: readonly unknown[]
  readonly contentType?: unknown
}

export function isStreamedOutput(value: object): value is StreamedOutput {
  return 'kind' in value && 'yielded' in value && Array.isArray(value.yielded)
}

/** A piece of a text: a yielded text, or a field of a yielded object. */
interface Spot {
  readonly holder: object
  readonly key: PathKey
  readonly text: string
}

/** Takes the redacted form of a piece. */
type Take = (spot: Spot, redacted: string) => void

/**
 * Redacts the texts that the pieces of an output spell together, each piece in its place, as in a model's stream. A piece that no secret touches is
 * not taken: it is redacted like any other value.
 */
export function redactSpelled({ yielded, contentType }: StreamedOutput, redactor: TextRedactor, take: Take): void {
  const texts = yielded.flatMap((text, key) => (typeof text === 'string' ? [{ holder: yielded, key, text }] : []))
  const type = typeof contentType === 'string' && isOfLines.test(contentType) ? contentType : typeOf(texts)
  if (type === undefined) for (const spots of splitAtItems(texts, redactor)) redactTogether(spots, redactor, take)
  else redactLines(texts, type, redactor, take)
  const fields = new Map<string, Spot[]>()
  for (const item of yielded) if (typeof item === 'object' && item !== null) collectFields(item, '', fields)
  for (const spots of fields.values()) redactTogether(spots, redactor, take)
}

const isOfLines = /event-stream|ndjson|jsonl|json-seq/i

/** Returns the content type of texts that are events or lines of JSON. */
function typeOf(spots: readonly Spot[]): string | undefined {
  const isEvent = /^(?:(?:data|event|id|retry):|:)/.test(spots[0]?.text ?? '')
  return isEvent || spots.every(({ text }) => /^\s*\{[^]*\}\s*$/.test(text)) ? 'text/event-stream' : undefined
}

function redactLines(spots: readonly Spot[], contentType: string, redactor: TextRedactor, take: Take): void {
  const body = redactionOf(redactor, contentType)
  // Without line breaks, each piece is a line.
  const lineBreak = spots.some(({ text }) => text.includes('\n')) ? '' : '\n'
  for (const spot of spots) {
    body.add(Buffer.from(`${spot.text}${lineBreak}`).toString('latin1'), (redacted) => {
      const text = Buffer.from(redacted, 'latin1').toString()
      take(spot, lineBreak === '' ? text : text.slice(0, -1))
    })
  }
  body.end()
}

const address = /^[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$/
const endsInAddress = /@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/
const number = /^\+?\d[\d ().+-]{6,}\d$/

/**
 * Splits pieces into texts. Pieces that are complete addresses or numbers are items of their own: `yield customer.email`. So are messages: one that
 * ends in an address, before one that begins with a capital letter.
 */
function splitAtItems(spots: readonly Spot[], redactor: TextRedactor): Spot[][] {
  const isItem = (text: string): boolean => address.test(text) || (number.test(text) && redactor.edits(text)[0]?.end === text.length)
  const groups: Spot[][] = [[]]
  let before = ''
  let wasItem = false
  for (const spot of spots) {
    const isOne = isItem(spot.text)
    if (isOne || wasItem || (endsInAddress.test(before) && /^\p{Lu}/u.test(spot.text))) groups.push([])
    groups.at(-1)?.push(spot)
    before = spot.text
    wasItem = isOne
  }
  return groups
}

const textField = new RegExp(`^(?:${textFields}|token|chunk|textDelta|message|answer|output|value)$`)
const mark = /^(?:\w*[iI]ndex|item_id|type)$/

/** Collects the fields in which texts arrive bit by bit, by the text to which they belong. */
function collectFields(holder: object, path: string, fields: Map<string, Spot[]>): void {
  if (isReserved(holder)) return
  const entries = Object.entries(holder)
  const marks = entries.flatMap(([key, value]) => (mark.test(key) && typeof value !== 'object' ? [`${key}=${value}`] : []))
  const place = `${path}/${marks.join()}`
  for (const [key, value] of entries) {
    if (typeof value === 'object' && value !== null) collectFields(value, `${place}/${key}`, fields)
    else if (typeof value === 'string' && textField.test(key))
      knownOrMade(fields, `${place}/${key}`, (): Spot[] => []).push({ holder, key, text: value })
  }
}

/** Redacts pieces of a text, as parts of it. */
function redactTogether(spots: readonly Spot[], redactor: TextRedactor, take: Take): void {
  if (spots.length < 2) return
  const pieces = spots.map(({ text }) => text)
  const whole = pieces.join('')
  const found = mergeEdits(redactor.edits(whole), keptStandIns(whole, redactor))
  if (found.length === 0) return
  const touching = createFinder(found)
  const touched: { readonly start: number; readonly end: number; readonly isTouched: boolean }[] = []
  let start = 0
  for (const { length } of pieces) {
    const end = start + length
    touched.push({ start, end, isTouched: touching({ start, end }) !== undefined })
    start = end
  }
  const others = touched.filter(({ isTouched }) => isTouched).flatMap((piece) => editsAround(whole, piece, found, redactor))
  const redacted = redactPieces(pieces, mergeEdits(found, others))
  for (const [index, spot] of spots.entries()) if (touched[index]?.isTouched === true) take(spot, redacted[index] ?? '')
}

/** A stand-in stays, in pieces as well. */
function keptStandIns(text: string, { standIns }: TextRedactor): Edit[] {
  return standIns.find(text).map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
}

/** Finds the secrets of a piece that are secrets only without the pieces around it. */
function editsAround(
  whole: string,
  piece: { readonly start: number; readonly end: number },
  found: readonly Edit[],
  redactor: TextRedactor,
): Edit[] {
  const edits: Edit[] = []
  let start = piece.start
  for (const edit of [...found.filter((each) => each.end > piece.start && each.start < piece.end), { start: piece.end, end: piece.end }]) {
    if (edit.start > start) edits.push(...moveEdits(redactor.edits(whole.slice(start, edit.start)), start))
    start = Math.max(start, edit.end)
  }
  return edits
}
