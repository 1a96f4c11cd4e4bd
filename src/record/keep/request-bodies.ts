import { bodyFromText, requestBodyFromText, textFromBytes } from '../../trace/body.ts'
import { isDeeperThan } from '../../trace/json.ts'
import type { HttpBody } from '../../trace/rows.ts'
import { MAX_DEPTH } from '../../trace/value-writer.ts'
import type { RawBody } from '../raw/raw-entry.ts'
import { sharedLength } from '../shared-length.ts'
import { endsOfItems, findItems, type ItemPlaces } from './item-places.ts'

/** A shorter body is read as fast as it is compared. */
const shortest = 1_000

/** How many bodies are remembered, for conversations that take turns, and how many characters of them. */
const mostBodies = 4
const longestBodies = 4_000_000

/**
 * Reads the bodies of a run's requests. An agent sends its conversation again with every request: where a body goes on from an earlier one only
 * what is new is parsed, and everything else is the same objects as before, at the same places. Nobody may change them.
 */
export class RequestBodies {
  /** Those that were read last come first. */
  #bodies: readonly Remembered[] = []

  read(body: RawBody): HttpBody {
    if (body === undefined) return {}
    const text = typeof body === 'string' ? body.toWellFormed() : textFromBytes(body)
    if (text === undefined) return { bytes: body as Uint8Array }
    if (text.length < shortest) return requestBodyFromText(text)
    const earlier = this.#findEarlier(text)
    const json = earlier && goOn(earlier, text)
    if (earlier === undefined || json === undefined) return this.#readWhole(text)
    // One that has little more in common than its instructions is another conversation.
    const isSame = earlier.sharedEnd * 2 > earlier.body.text.length
    this.#remember({ text, json, lists: placesIn(text, earlier) }, isSame ? earlier.body : undefined)
    return { json }
  }

  #readWhole(text: string): HttpBody {
    const body = requestBodyFromText(text)
    // What is laid out is read whole each time.
    if (body.json === undefined || !text.startsWith('{') || text.startsWith('{\n')) return body
    const lists = findItems(text)
    if (lists.length > 0) this.#remember({ text, json: body.json as object, lists })
    return body
  }

  /** The body with most in common. */
  #findEarlier(text: string): Earlier | undefined {
    let most: Earlier | undefined
    for (const body of this.#bodies) {
      const earlier = compare(body, text)
      if (earlier !== undefined && earlier.sharedEnd > (most?.sharedEnd ?? 0)) most = earlier
    }
    return most
  }

  #remember(body: Remembered, replaced?: Remembered): void {
    let room = longestBodies
    this.#bodies = [body, ...this.#bodies.filter((other) => other !== replaced)]
      .slice(0, mostBodies)
      .filter(({ text }) => (room -= text.length) >= 0)
  }
}

interface Remembered {
  readonly text: string
  readonly json: object
  readonly lists: readonly ItemPlaces[]
}

/** A body that differs from the one that is read in the last items of a list only. */
interface Earlier {
  readonly body: Remembered
  readonly list: ItemPlaces
  /** How many items of the list they share, and where the last of these ends. */
  readonly shared: number
  readonly sharedEnd: number
  /** Where the list ends in the one that is read. */
  readonly newEnd: number
}

function compare(body: Remembered, text: string): Earlier | undefined {
  const same = sharedLength(body.text, text)
  const list = body.lists.findLast(({ start }) => start <= same)
  if (list === undefined) return undefined
  const { start, ends, length } = list
  const rest = body.text.slice(start + length)
  const newEnd = text.length - rest.length
  if (!text.endsWith(rest)) return undefined
  let shared = ends.length
  while (shared > 0 && start + (ends[shared - 1] ?? 0) > same) shared -= 1
  return shared === 0 ? undefined : { body, list, shared, sharedEnd: start + (ends[shared - 1] ?? 0), newEnd }
}

/** The value of a text by an earlier one; undefined where it cannot be read so. */
function goOn({ body, list: { field }, shared, sharedEnd, newEnd }: Earlier, text: string): object | undefined {
  const known = Reflect.get(body.json, field) as readonly unknown[]
  const added = sharedEnd === newEnd ? [] : readItems(text.slice(sharedEnd, newEnd))
  if (added === undefined) return undefined
  const isUnchanged = added.length === 0 && shared === known.length
  return { ...body.json, [field]: isUnchanged ? known : [...known.slice(0, shared), ...added] }
}

/** @param text A comma and items. Undefined where printing the items again gives another text. */
function readItems(text: string): readonly unknown[] | undefined {
  const { json } = bodyFromText(`[${text.slice(1)}]`)
  const isItems = text.startsWith(',') && Array.isArray(json) && json.length > 0
  // They stand in a list of an object.
  return isItems && !isDeeperThan(json, MAX_DEPTH - 1) ? json : undefined
}

function placesIn(text: string, { body, list, shared, sharedEnd, newEnd }: Earlier): ItemPlaces[] {
  const added = endsOfItems(text.slice(sharedEnd + 1, newEnd)).map((end) => sharedEnd + 1 - list.start + end)
  const grown = text.length - body.text.length
  return body.lists.map((other) => {
    if (other === list) return { ...list, ends: [...list.ends.slice(0, shared), ...added], length: newEnd - list.start }
    return other.start < list.start ? other : { ...other, start: other.start + grown }
  })
}
