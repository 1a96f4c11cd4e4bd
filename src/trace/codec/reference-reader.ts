import { TraceFormatError } from '../errors/trace-format-error.ts'
import { isJsonArray, type Json, type JsonObject, type PathKey } from '../json.ts'
import { toPath } from '../path.ts'
import { readValue, type References } from '../value-reader.ts'
import type { ReferenceBudget } from './reference-budget.ts'

/** The values of one field in earlier rows, by number: the values that a continuation can continue. */
export type EarlierValues = ReadonlyMap<number, unknown>

/**
 * Reads values that refer to text rows and to earlier values. A plain text (no `$` in it) is the same value wherever it is referred to; other texts
 * are revived at each place.
 */
export class ReferenceReader {
  /** What the references take in memory. */
  readonly budget: ReferenceBudget
  readonly #texts = new Map<string, { readonly json: Json; readonly isPlain: boolean; readonly length: number }>()

  constructor(budget: ReferenceBudget) {
    this.budget = budget
  }

  /** Stores a text row. @param length The length of its line. */
  store(reference: string, json: Json, isPlain: boolean, length: number): void {
    if (this.#texts.has(reference))
      throw new TraceFormatError({ problem: `there is a second text row with "ref" "${reference}"`, field: 'ref' })
    this.#texts.set(reference, { json, isPlain, length })
  }

  /** Returns the value of a text row. @param keys The path of the reference within the field. */
  textOf(reference: string, field: string, keys: readonly PathKey[] = [], jsonIn?: string): unknown {
    const text = this.#texts.get(reference)
    if (text === undefined) return fail(keys, field, `refers to the text ${JSON.stringify(reference)}, which no earlier row has`)
    if (text.isPlain) return text.json
    this.budget.take(text.length)
    return readValue(text.json, { keys, root: field, jsonIn })
  }

  /**
   * Revives a value.
   *
   * @param earlier The values that its continuations may continue.
   * @param jsonIn As in `ReadOptions`.
   */
  read(json: Json, field: string, earlier: EarlierValues, jsonIn?: string): unknown {
    const references: References = {
      text: (reference, keys) => this.textOf(reference, field, keys, jsonIn),
      conversation: (payload, keys, read) => {
        const { after, keep, add } = checkContinuation(payload, keys, field)
        const kept = arrayAt(earlier.get(after), keys)
        if (kept === undefined) return fail(keys, field, `continues ${after}, which has no array at this place`)
        const length = keep ?? kept.length
        if (length > kept.length) return fail(keys, field, `keeps ${length} items of ${after}, which has ${kept.length}`)
        this.budget.take(POINTER * length)
        const items = kept.slice(0, length)
        add.forEach((item, index) => items.push(read(item, length + index)))
        return items
      },
    }
    return readValue(json, { references, root: field, jsonIn })
  }
}

/** The bytes of a reference to a value in memory. */
const POINTER = 8

interface CheckedContinuation {
  readonly after: number
  readonly keep: number | undefined
  readonly add: readonly Json[]
}

function checkContinuation(payload: JsonObject, keys: readonly PathKey[], root: string): CheckedContinuation {
  const { after, keep, add, ...rest } = payload
  const isWhole = Object.keys(rest).length === 0
  if (isWhole && isCount(after) && (keep === undefined || isCount(keep)) && isJsonArray(add)) return { after, keep, add }
  return fail(keys, root, 'has to have the form {"after":<number>,"keep":<number>,"add":[…]}')
}

function isCount(json: Json | undefined): json is number {
  return typeof json === 'number' && Number.isInteger(json) && json >= 0
}

function arrayAt(value: unknown, keys: readonly PathKey[]): unknown[] | undefined {
  let node = value
  for (const key of keys) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = Reflect.get(node, key)
  }
  return Array.isArray(node) ? node : undefined
}

function fail(keys: readonly PathKey[], root: string, problem: string): never {
  const field = toPath(keys, root)
  throw new TraceFormatError({ problem: `"${field}" ${problem}`, field })
}
