import { fromBase64 } from './base64.ts'
import { TraceFormatError } from './errors/trace-format-error.ts'
import { type HandleParts, HandleValue } from './handle-value.ts'
import { isJsonArray, isJsonObject, isReserved, preview, setOwn, type Json, type JsonObject, type PathKey } from './json.ts'
import { toPath } from './path.ts'
import { createError, defineField } from './recorded-error.ts'
import { UnkeptValue } from './unkept-value.ts'

/** Resolves references to other rows. Each function receives the path of the reference, and a function to read further JSON there. */
export interface References {
  text(ref: string, keys: readonly PathKey[]): unknown
  conversation(payload: JsonObject, keys: readonly PathKey[], read: (json: Json, key: PathKey) => unknown): unknown
}

/** The location of a value and what it may refer to. */
export interface ReadOptions {
  readonly references?: References
  /** The path from the root to the value. */
  readonly keys?: readonly PathKey[]
  /** The name of the root in error messages. Default `$`. */
  readonly root?: string
  /** The field of the root that can only hold JSON: the `json` of a body. Default: none. */
  readonly jsonIn?: string | undefined
}

/** Revives JSON that `writeValue` wrote. Throws a `TraceFormatError` that names the field if `writeValue` cannot have written the JSON. */
export function readValue(json: Json, options: ReadOptions = {}): unknown {
  return new ValueReader(options).read(json)
}

/** Deeper than any output of `writeValue`: a level of a map takes four levels of JSON. */
export const MAX_JSON_DEPTH = 1000

type ReadKind = (payload: Json, reader: ValueReader, whole: JsonObject) => unknown

class ValueReader {
  readonly #references: References | undefined
  readonly #root: string
  readonly #jsonIn: string | undefined
  readonly #keys: PathKey[]
  readonly #ancestors: { readonly value: object; readonly depth: number }[] = []

  constructor({ references, keys = [], root = '$', jsonIn }: ReadOptions) {
    this.#references = references
    this.#root = root
    this.#jsonIn = jsonIn
    this.#keys = [...keys]
  }

  read(json: Json): unknown {
    if (typeof json !== 'object' || json === null) return json
    if (this.#ancestors.length > MAX_JSON_DEPTH) return this.fail('is nested too deep')
    if (isJsonArray(json)) return this.within<unknown[]>([], (items) => json.forEach((item, index) => items.push(this.readAt(index, item))))
    if (isJsonObject(json) && !isReserved(json)) return this.readFields(json)
    return this.#readReserved(json)
  }

  readAt(key: PathKey, json: Json): unknown {
    this.#keys.push(key)
    const value = this.read(json)
    this.#keys.pop()
    return value
  }

  readFields(json: JsonObject): object {
    return this.within({}, (fields) => {
      for (const key of Object.keys(json)) setOwn(fields, key, this.readAt(key, json[key] ?? null))
    })
  }

  /** Fills a container, which counts as an ancestor of the values that are read into it. */
  within<T extends object>(value: T, fill: (value: T) => void): T {
    this.#ancestors.push({ value, depth: this.#keys.length })
    fill(value)
    this.#ancestors.pop()
    return value
  }

  ancestorAt(path: string): object | undefined {
    return this.#ancestors.find(({ depth }) => toPath(this.#keys.slice(0, depth)) === path)?.value
  }

  unkept(reason: string): UnkeptValue {
    return new UnkeptValue(toPath(this.#keys), reason)
  }

  fail(problem: string, cause?: unknown): never {
    const field = toPath(this.#keys, this.#root)
    throw new TraceFormatError({ problem: `"${field}" ${problem}`, field }, cause === undefined ? undefined : { cause })
  }

  #readReserved(json: JsonObject): unknown {
    const payload = json['$'] ?? null
    if (typeof payload === 'string') {
      if (this.#references === undefined) return this.fail(`refers to ${JSON.stringify(payload)}, but references are not allowed there`)
      return this.#references.text(payload, this.#keys)
    }
    if (!isJsonObject(payload)) return this.fail(`holds an unknown "$": ${preview(payload)}`)
    if (Object.hasOwn(payload, 'after')) {
      if (this.#references === undefined) return this.fail('continues an earlier value, which is not allowed there')
      return this.#references.conversation(payload, this.#keys, (item, key) => this.readAt(key, item))
    }
    const kind = Object.keys(payload)[0] ?? ''
    if (kind !== 'literal' && this.#jsonIn !== undefined && this.#keys[0] === this.#jsonIn) {
      return this.fail(`has to be JSON, got ${preview(json)}`)
    }
    const read = KINDS.get(kind)
    const allowed = kind === 'bytes' ? ['bytes', 'as'] : [kind]
    if (read === undefined || Object.keys(payload).some((key) => !allowed.includes(key))) {
      return this.fail(`holds an unknown "$": ${preview(payload)}`)
    }
    try {
      return read(payload[kind] ?? null, this, payload)
    } catch (error) {
      if (TraceFormatError.isInstance(error)) throw error
      return this.fail(`holds an invalid "${kind}": ${preview(payload[kind] ?? null)}`, error)
    }
  }
}

const NUMBERS: ReadonlyMap<Json, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
])

const VIEWS: ReadonlyMap<string, (buffer: ArrayBuffer) => object> = new Map<string, (buffer: ArrayBuffer) => object>([
  ['ArrayBuffer', (buffer) => buffer],
  // Browsers have no `Buffer`.
  ['Buffer', (buffer) => globalThis.Buffer?.from(buffer) ?? new Uint8Array(buffer)],
  ['DataView', (buffer) => new DataView(buffer)],
  ['Int8Array', (buffer) => new Int8Array(buffer)],
  ['Uint8ClampedArray', (buffer) => new Uint8ClampedArray(buffer)],
  ['Int16Array', (buffer) => new Int16Array(buffer)],
  ['Uint16Array', (buffer) => new Uint16Array(buffer)],
  ['Int32Array', (buffer) => new Int32Array(buffer)],
  ['Uint32Array', (buffer) => new Uint32Array(buffer)],
  ['Float32Array', (buffer) => new Float32Array(buffer)],
  ['Float64Array', (buffer) => new Float64Array(buffer)],
  ['BigInt64Array', (buffer) => new BigInt64Array(buffer)],
  ['BigUint64Array', (buffer) => new BigUint64Array(buffer)],
])

// An error that these throw is reported as 'holds an invalid "<kind>"'.
const KINDS: ReadonlyMap<string, ReadKind> = new Map<string, ReadKind>([
  ['date', (payload) => readDate(asString(payload))],
  ['bigint', (payload) => BigInt(matching(asString(payload), /^-?\d+$/))],
  ['number', (payload) => present(NUMBERS.get(payload))],
  ['undefined', (payload) => (payload === true ? undefined : mismatch())],
  ['map', (payload, reader) => readMap(asArray(payload), reader)],
  [
    'set',
    (payload, reader) => reader.within(new Set(), (set) => asArray(payload).forEach((item, index) => set.add(reader.readAt(index, item)))),
  ],
  ['bytes', (payload, _reader, whole) => readBytes(asString(payload), whole['as'])],
  ['regexp', (payload) => readRegExp(asArray(payload))],
  ['url', (payload) => new URL(asString(payload))],
  ['search', (payload) => new URLSearchParams(asString(payload))],
  ['headers', (payload) => new Headers(asArray(payload).map((pair) => readHeader(asArray(pair))))],
  ['error', (payload, reader) => readError(asObject(payload), reader)],
  ['handle', (payload, reader) => readHandle(payload, reader)],
  ['cycle', (payload, reader) => present(reader.ancestorAt(asString(payload)))],
  ['literal', (payload, reader) => reader.readFields(asObject(payload))],
  ['unkept', (payload, reader) => reader.unkept(asString(payload))],
])

function readDate(text: string): Date {
  if (text === 'invalid') return new Date(Number.NaN)
  const date = new Date(text)
  return date.toISOString() === text ? date : mismatch()
}

function readMap(entries: readonly Json[], reader: ValueReader): Map<unknown, unknown> {
  return reader.within(new Map(), (map) =>
    entries.forEach((entry, index) => {
      if (asArray(entry).length !== 2) mismatch()
      const [key, value] = reader.readAt(index, entry) as [unknown, unknown]
      map.set(key, value)
    }),
  )
}

function readBytes(text: string, as: Json | undefined): object {
  const bytes = fromBase64(text)
  if (as === undefined) return bytes
  return present(VIEWS.get(asString(as)))(bytes.buffer)
}

function readRegExp([source, flags]: readonly Json[]): RegExp {
  return new RegExp(asString(source), asString(flags))
}

function readHeader([name, value]: readonly Json[]): [string, string] {
  return [asString(name), asString(value)]
}

function readError(payload: JsonObject, reader: ValueReader): Error {
  const { name, message, class: className, code, status, cause, fields, ...rest } = payload
  if (Object.keys(rest).length > 0) mismatch()
  const error = createError({
    name: asString(name),
    message: asString(message),
    ...(className === undefined ? {} : { class: asString(className) }),
    ...(code === undefined ? {} : { code: typeof code === 'number' ? code : asString(code) }),
    ...(status === undefined ? {} : { status: typeof status === 'number' ? status : mismatch() }),
  })
  return reader.within(error, () => {
    if (cause !== undefined) defineField(error, 'cause', reader.readAt('cause', cause), false)
    if (fields === undefined) return
    for (const [key, field] of Object.entries(asObject(fields))) defineField(error, key, reader.readAt(key, field), key !== 'errors')
  })
}

function readHandle(payload: Json, reader: ValueReader): HandleValue {
  if (typeof payload === 'number') return new HandleValue(payload)
  const { class: className, methods, accessors = [], iterates, isFunction, fields, ...rest } = asObject(payload)
  if (Object.keys(rest).length > 0) mismatch()
  const parts: HandleParts = {
    class: asString(className),
    methods: asArray(methods).map(asString),
    accessors: asArray(accessors).map(asString),
    ...(iterates === undefined ? {} : { iterates: iterates === 'iterator' || iterates === 'asyncIterator' ? iterates : mismatch() }),
    ...(isFunction === undefined ? {} : { isFunction: isFunction === true ? isFunction : mismatch() }),
    fields: reader.readAt('fields', asObject(fields)) as HandleParts['fields'],
  }
  return new HandleValue(parts)
}

function asString(json: Json | undefined): string {
  return typeof json === 'string' ? json : mismatch()
}

function asArray(json: Json | undefined): readonly Json[] {
  return isJsonArray(json) ? json : mismatch()
}

function asObject(json: Json | undefined): JsonObject {
  return isJsonObject(json) ? json : mismatch()
}

function matching(text: string, pattern: RegExp): string {
  return pattern.test(text) ? text : mismatch()
}

function present<T>(value: T | undefined): T {
  return value === undefined ? mismatch() : value
}

function mismatch(): never {
  throw new TypeError('not a value of this kind')
}
