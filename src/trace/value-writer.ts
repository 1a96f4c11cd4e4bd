import { readErrorParts } from './error-parts.ts'
import type { HandleValue } from './handle-value.ts'
import { isReserved, mapFields, omitUndefined, setOwn, type Json, type PathKey } from './json.ts'
import { toPath } from './path.ts'
import { classify } from './value-kinds.ts'

/** Called for each value that cannot be kept, with its path (`$.order.save`) and the reason. */
export type OnUnkept = (path: string, why: string) => void

/** How a value is written. */
export interface WriteOptions {
  readonly onUnkept?: OnUnkept | undefined
  /** Return arrays and plain objects that need no change as they are, instead of a copy. Default false. */
  readonly share?: boolean
  /** Distinguish a `Buffer` from other bytes. Default false: compared values are equal if their bytes are. */
  readonly keepsBuffers?: boolean
  /** Objects that are known to need no change, and are not inspected. */
  readonly known?: Pick<WeakSet<object>, 'has'>
}

/** A value as JSON. */
export interface WrittenValue {
  readonly json: Json
  /** Whether it refers back to an ancestor: such a value makes sense only as a whole. */
  readonly cyclic: boolean
}

/** How deep arrays, objects, maps and sets may be nested. */
export const MAX_DEPTH = 200

/** Writes a value; see `toRecorded` for the encodings. */
export function writeValue(value: unknown, options: WriteOptions = {}): WrittenValue {
  const writer = new ValueWriter(options)
  return { json: writer.write(value), cyclic: writer.cyclic }
}

/** A shared object is written once per mention, so a small graph can unfold without end: this many objects are enough. Parsed JSON shares none. */
const MAX_VALUES = 250_000

class ValueWriter {
  cyclic: boolean = false
  readonly #options: WriteOptions
  readonly #keys: PathKey[] = []
  readonly #ancestors: { readonly value: object; readonly depth: number }[] = []
  #values = 0

  constructor(options: WriteOptions) {
    this.#options = options
  }

  write(value: unknown): Json {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : { $: { number: Object.is(value, -0) ? '-0' : String(value) } }
      case 'bigint':
        return { $: { bigint: String(value) } }
      case 'undefined':
        return { $: { undefined: true } }
      case 'object':
        return value === null ? null : this.#writeObject(value)
      default:
        return this.#unkept(`a ${typeof value}`)
    }
  }

  #writeObject(value: object): Json {
    if (this.#options.known?.has(value)) return value as Json
    const ancestor = this.#ancestors.find((candidate) => candidate.value === value)
    if (ancestor !== undefined) {
      this.cyclic = true
      return { $: { cycle: toPath(this.#keys.slice(0, ancestor.depth)) } }
    }
    const depth = this.#keys.length
    if (this.#ancestors.length >= MAX_DEPTH) return this.#unkept(`a value nested deeper than ${MAX_DEPTH} levels`)
    if (this.#options.share !== true && ++this.#values > MAX_VALUES) return this.#unkept(`a value after the first ${MAX_VALUES}`)
    this.#ancestors.push({ value, depth })
    try {
      return this.#writeContainer(value)
    } catch (error) {
      this.#keys.length = depth
      return this.#unkept(`an object that throws when it is read (${messageOf(error)})`)
    } finally {
      this.#ancestors.pop()
    }
  }

  #writeContainer(value: object): Json {
    const known = classify(value, this.#options.keepsBuffers)
    switch (known.kind) {
      case 'array':
        return this.#writeArray(known.items)
      case 'plain':
        return this.#writeFields(value, true)
      case 'instance':
        return this.#writeFields(value, false)
      case 'json':
        return typeof known.value === 'object' && known.value === value ? this.#writeFields(value, false) : this.write(known.value)
      case 'map':
        return { $: { map: known.entries.map((entry, index) => this.#writeEntry(index, entry)) } }
      case 'set':
        return { $: { set: this.#writeItems(known.items) } }
      case 'error':
        return { $: { error: this.#writeError(known.error) } }
      case 'handle':
        return { $: { handle: this.#writeHandle(known.handle) } }
      case 'encoded':
        return { $: known.payload }
      case 'unkept':
        return this.#unkept(known.reason, known.silent)
    }
  }

  #writeArray(items: readonly unknown[]): Json {
    const written = this.#writeItems(items)
    return this.#options.share === true && written.every((item, index) => item === items[index]) ? (items as readonly Json[]) : written
  }

  #writeItems(items: readonly unknown[]): Json[] {
    const written: Json[] = []
    // A hole counts as undefined; `map` would skip it.
    for (let index = 0; index < items.length; index++) written.push(this.#writeAt(index, items[index]))
    return written
  }

  #writeFields(value: object, plain: boolean): Json {
    const fields: Record<string, Json> = {}
    const keys = Object.keys(value)
    for (const key of keys) {
      const written = this.#writeField(value, key)
      if (written !== undefined) setOwn(fields, key, written)
    }
    if (isReserved(fields)) return { $: { literal: fields } }
    const isUnchanged = this.#options.share === true && plain && keys.every((key) => fields[key] === Reflect.get(value, key))
    return isUnchanged ? (value as Json) : fields
  }

  #writeField(value: object, key: string): Json | undefined {
    this.#keys.push(key)
    try {
      const field: unknown = Reflect.get(value, key)
      return field === undefined ? undefined : this.write(field)
    } catch (error) {
      return this.#unkept(`a field that throws when it is read (${messageOf(error)})`)
    } finally {
      this.#keys.pop()
    }
  }

  #writeError(error: Error): Json {
    const { name, message, class: className, code, status, hasCause, cause, fields } = readErrorParts(error)
    return {
      name,
      message,
      ...omitUndefined({ class: className, code, status }),
      ...(hasCause ? { cause: this.#writeAt('cause', cause) } : {}),
      ...(fields === undefined ? {} : { fields: mapFields(fields, (field, key) => this.#writeAt(key, field)) }),
    }
  }

  #writeHandle({ parts }: HandleValue): Json {
    if (typeof parts === 'number') return parts
    const { methods, accessors, iterates, isFunction, fields } = parts
    return {
      class: parts.class,
      methods,
      ...(accessors.length > 0 ? { accessors } : {}),
      ...(iterates === undefined ? {} : { iterates }),
      ...(isFunction === undefined ? {} : { isFunction }),
      fields: this.#writeAt('fields', fields),
    }
  }

  #writeEntry(index: number, entry: readonly [unknown, unknown]): Json {
    this.#keys.push(index)
    const written = this.#writeItems(entry)
    this.#keys.pop()
    return written
  }

  #writeAt(key: PathKey, value: unknown): Json {
    this.#keys.push(key)
    const written = this.write(value)
    this.#keys.pop()
    return written
  }

  #unkept(reason: string, silent: boolean = false): Json {
    if (!silent) this.#options.onUnkept?.(toPath(this.#keys), reason)
    return { $: { unkept: reason } }
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'its error cannot be printed'
  }
}
