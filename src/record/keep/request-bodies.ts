import { isUint8Array } from 'node:util/types'
import { decodedBody } from '../../http/decode-body.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import { bodyFromText, requestBodyFromText, textFromBytes } from '../../trace/body.ts'
import { isDeeperThan, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../trace/json.ts'
import type { HttpBody } from '../../trace/rows.ts'
import { MAX_DEPTH } from '../../trace/value-writer.ts'
import type { EntryBody } from '../raw/raw-entry.ts'
import { type ResentText, ResentTexts, resolveText } from '../resent-texts.ts'

/** Reads and redacts the request bodies of a run. Only the new items of a resent conversation are parsed and redacted. */
export class RequestBodies {
  readonly #redactor: Redactor
  readonly #sent: Conversations
  /** The bodies that arrived as bytes; resent texts are recognised only after decoding. */
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
    // Bytes that are kept may wait to be written, so they are copied.
    return { bytes: this.#redactor.bytes(bytes.slice()) }
  }
}

/**
 * Reads texts as continuations of earlier ones. Unchanged parts are the same objects as before, so that the codec does not print them again; they
 * must not be changed.
 */
class Conversations {
  readonly #redactor: Redactor
  /** Indexed by their places. */
  readonly #bodies: ReadBody[] = []

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  read(sent: ResentText | string): HttpBody {
    if (typeof sent === 'string') return this.#readWhole(sent.toWellFormed()).body
    const before = this.#bodies[sent.base]
    // Surrogate pairs are never split, so the parts are well-formed if the whole is.
    const text = resolveText({ ...sent, added: sent.added.toWellFormed() }, before?.text ?? '')
    const read = (before && this.#goOn(before, sent, text)) ?? this.#readWhole(text)
    this.#bodies[sent.place] = read
    return read.body
  }

  #readWhole(text: string): ReadBody {
    // Redaction may learn further secrets; this body is then not continued from.
    const { secrets } = this.#redactor
    const { json, text: kept } = requestBodyFromText(text)
    if (json === undefined) return { text, body: kept === undefined ? {} : { text: this.#redactor.text(kept) } }
    const body = { json: this.#redactor.value(json) }
    // Indented JSON is read in full each time.
    const isPlain = text.startsWith('{') && !text.startsWith('{\n')
    return { text, body, ...(isPlain && { parsed: { json: json as JsonObject, secrets } }) }
  }

  /** Returns undefined if a text differs from the earlier one in more than the last items of one list, or if more secrets are known than before. */
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
  /** The redacted body. */
  readonly body: HttpBody
  /** Set for an object in plain JSON, from which a later body may continue. */
  readonly parsed?: ParsedBody
}

interface ParsedBody {
  readonly json: JsonObject
  /** The number of secrets that were known when the body was redacted. */
  readonly secrets: number
  /** Computed on first use. */
  readonly lists?: readonly ItemList[]
}

/** The position of a list's items in the text of the object that has the list in a field. */
interface ItemList {
  readonly field: string
  /** The position of the first item in the text. */
  readonly start: number
  /** The end of each item, counted from the start. */
  readonly ends: readonly number[]
  /** The distance from the start to the bracket behind the last item. */
  readonly length: number
}

/** Finds the lists of a body. The body's text equals its printed JSON, so lengths of printed parts are positions in the text. */
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

/** Returns the end of each item in the printed list whose first item starts at `start`. */
function endsOf(items: readonly Json[], start: number): number[] {
  let at = start - 1
  return items.map((item) => (at += 1 + JSON.stringify(item).length))
}

/** Returns the list in a field. Redaction may have renamed the field. */
function fieldOf(json: JsonObject, field: string): readonly Json[] | undefined {
  const list = Object.hasOwn(json, field) ? json[field] : undefined
  return isJsonArray(list) ? list : undefined
}

/** @param text Empty, or a comma and items. Returns undefined if printing the items again gives a different text. */
function readItems(text: string): readonly Json[] | undefined {
  if (text === '') return []
  const { json } = bodyFromText(`[${text.slice(1)}]`)
  const isItems = text.startsWith(',') && Array.isArray(json) && json.length > 0
  // The items are inside a list inside an object.
  return isItems && !isDeeperThan(json, MAX_DEPTH - 1) ? (json as readonly Json[]) : undefined
}
