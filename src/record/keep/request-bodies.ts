import { isUint8Array } from 'node:util/types'
import { decodedBody } from '../../http/decode-body.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import { bodyFromText, requestBodyFromText, textFromBytes } from '../../trace/body.ts'
import { isDeeperThan, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../trace/json.ts'
import type { HttpBody } from '../../trace/rows.ts'
import { MAX_DEPTH } from '../../trace/value-writer.ts'
import type { EntryBody } from '../raw/raw-entry.ts'
import { type ResentText, ResentTexts, resolveText } from '../resent-texts.ts'

/** Reads and redacts the bodies of a run's requests. Of a resent conversation only the new items are parsed and redacted. */
export class RequestBodies {
  readonly #redactor: Redactor
  readonly #sent: Conversations
  /** Bytes are not recognised before they are decoded. */
  readonly #decoded: Conversations
  readonly #texts = new ResentTexts()

  constructor(redactor: Redactor) {
    this.#redactor = redactor
    this.#sent = new Conversations(redactor)
    this.#decoded = new Conversations(redactor)
  }

  /** @param encoding The `content-encoding` of bytes. */
  read(body: EntryBody, encoding?: string): HttpBody {
    if (body === undefined) return {}
    if (!isUint8Array(body)) return this.#sent.read(body)
    const bytes = decodedBody(body, encoding)
    const text = textFromBytes(bytes)
    if (text !== undefined) return this.#decoded.read(this.#texts.recognise(text))
    // What is kept may wait to be written.
    return { bytes: this.#redactor.bytes(bytes.slice()) }
  }
}

/**
 * Reads texts by the earlier ones that they go on from. Unchanged parts are the same objects as before, so that the codec does not print them again.
 * Nobody may change them.
 */
class Conversations {
  readonly #redactor: Redactor
  /** By their places. */
  readonly #bodies: ReadBody[] = []

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  read(sent: ResentText | string): HttpBody {
    if (typeof sent === 'string') return this.#readWhole(sent.toWellFormed()).body
    const before = this.#bodies[sent.base]
    // No pair of units is divided, so that parts are well-formed where the whole is.
    const text = resolveText({ ...sent, added: sent.added.toWellFormed() }, before?.text ?? '')
    const read = (before && this.#goOn(before, sent, text)) ?? this.#readWhole(text)
    this.#bodies[sent.place] = read
    return read.body
  }

  #readWhole(text: string): ReadBody {
    // Redaction may find out about more secrets: then this body is not gone on from.
    const { secrets } = this.#redactor
    const { json, text: kept } = requestBodyFromText(text)
    if (json === undefined) return { text, body: kept === undefined ? {} : { text: this.#redactor.text(kept) } }
    const body = { json: this.#redactor.value(json) }
    // What is laid out is read whole each time.
    const isPlain = text.startsWith('{') && !text.startsWith('{\n')
    return { text, body, ...(isPlain && { parsed: { json: json as JsonObject, secrets } }) }
  }

  /** Undefined where a text differs from the earlier one in more than the last items of one list, or where more is secret than before. */
  #goOn(before: ReadBody, { keep, end }: ResentText, text: string): ReadBody | undefined {
    const { secrets } = this.#redactor
    if (before.parsed?.secrets !== secrets) return undefined
    if (keep === text.length && keep === before.text.length) return before
    const { json, lists = findLists(json) } = before.parsed
    const list = lists.findLast(({ start }) => start <= keep)
    if (list === undefined || list.start + list.length < before.text.length - end) return undefined
    const { field, start, ends } = list
    const kept = ends.findLastIndex((place) => start + place <= keep) + 1
    const redacted = fieldOf(before.body.json as JsonObject, field)
    if (kept === 0 || redacted === undefined) return undefined
    const keptEnd = ends[kept - 1] ?? 0
    const grown = text.length - before.text.length
    const added = readItems(text.slice(start + keptEnd, start + list.length + grown))
    if (added === undefined) return undefined
    const addedRedacted = added.map((item, index) => this.#redactor.value(item, [field, kept + index]))
    const grownList = { ...list, ends: [...ends.slice(0, kept), ...endsOf(added, keptEnd + 1)], length: list.length + grown }
    return {
      text,
      body: { json: { ...(before.body.json as JsonObject), [field]: [...redacted.slice(0, kept), ...addedRedacted] } },
      parsed: {
        json: { ...json, [field]: [...(fieldOf(json, field) ?? []).slice(0, kept), ...added] },
        secrets,
        lists: lists.map((other) => (other === list ? grownList : other.start < start ? other : { ...other, start: other.start + grown })),
      },
    }
  }
}

/** A body with its text. */
interface ReadBody {
  readonly text: string
  /** Redacted. */
  readonly body: HttpBody
  /** Of an object in plain JSON, which a later body may go on from. */
  readonly parsed?: ParsedBody
}

interface ParsedBody {
  readonly json: JsonObject
  /** How many secrets were known when the body was redacted. */
  readonly secrets: number
  /** Found when they are first needed. */
  readonly lists?: readonly ItemList[]
}

/** Where the items of a list of objects stand in the text of an object that has it in a field. */
interface ItemList {
  readonly field: string
  /** Where the first item starts in the text. */
  readonly start: number
  /** Where each item ends, from the start on. */
  readonly ends: readonly number[]
  /** From the start to the bracket behind the last item. */
  readonly length: number
}

/** The text of a body is what printing it gives, so that lengths of printed parts are places in it. */
function findLists(json: JsonObject): ItemList[] {
  const lists: ItemList[] = []
  let at = 1
  for (const [field, value] of Object.entries(json)) {
    const start = at + JSON.stringify(field).length + 2
    if (isJsonArray(value) && isJsonObject(value[0])) {
      const ends = endsOf(value, 0)
      const length = ends.at(-1) ?? 0
      lists.push({ field, start, ends, length })
      at = start + length + 2
    } else at = start + JSON.stringify(value).length
  }
  return lists
}

/** Where each item ends in the printed list, of which the first starts at a place. */
function endsOf(items: readonly Json[], start: number): number[] {
  let at = start - 1
  return items.map((item) => (at += 1 + JSON.stringify(item).length))
}

/** The list in a field. Redaction may have renamed the field. */
function fieldOf(json: JsonObject, field: string): readonly Json[] | undefined {
  const list = Object.hasOwn(json, field) ? json[field] : undefined
  return isJsonArray(list) ? list : undefined
}

/** @param text Nothing, or a comma and items. Undefined where printing the items again gives another text. */
function readItems(text: string): readonly Json[] | undefined {
  if (text === '') return []
  const { json } = bodyFromText(`[${text.slice(1)}]`)
  const isItems = text.startsWith(',') && Array.isArray(json) && json.length > 0
  // They stand in a list of an object.
  return isItems && !isDeeperThan(json, MAX_DEPTH - 1) ? (json as readonly Json[]) : undefined
}
