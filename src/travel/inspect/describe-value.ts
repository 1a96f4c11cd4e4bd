import { types } from 'node:util'
import type { Json } from '../../trace/json.ts'
import type { InspectLimits } from './inspected-run.ts'
import {
  boxedOf,
  bytesOf,
  classOf,
  eachOfMap,
  eachOfSet,
  functionName,
  isEnumerable,
  isObject,
  isProxy,
  ownNames,
  ownProperty,
  ownValue,
  patternOf,
  sizeOf,
  symbolName,
  timeOf,
} from './intrinsics.ts'
import { isOfPlatform } from './platform-classes.ts'

/** An instance of a class, whose private fields only the inspector can read. */
export interface FoundInstance {
  readonly value: object
  readonly described: Record<string, Json>
  readonly depth: number
}

/**
 * Describes values of the agent as JSON, up to limits, without running the agent's code. Each stop has one describer; all values of the stop share
 * its limit of values.
 */
export class ValueDescriber {
  /** Instances that may have private fields. */
  readonly instances: FoundInstance[] = []
  readonly #limits: InspectLimits
  readonly #known: ReadonlyMap<object, string>
  readonly #path: object[] = []
  #left: number

  /** @param known Objects of the process that are named instead of read: its environment, its global object. */
  constructor(limits: InspectLimits, known: ReadonlyMap<object, string>) {
    ;[this.#limits, this.#known, this.#left] = [limits, known, limits.values]
  }

  describe(value: unknown, depth = 0): Json {
    this.#left -= 1
    if (this.#left < 0) return special({ unread: 'values' })
    if (!isObject(value)) return this.#primitive(value)
    const known = this.#known.get(value)
    if (known !== undefined) return special({ object: known })
    if (isProxy(value)) return special({ proxy: true })
    if (typeof value === 'function') return special({ function: functionName(value) })
    const ancestor = this.#path.lastIndexOf(value)
    if (ancestor !== -1) return special({ cycle: this.#path.length - ancestor })
    if (depth >= this.#limits.depth) return special({ class: classOf(value) ?? kindOf(value), unread: 'depth' })
    this.#path.push(value)
    try {
      return this.#object(value, depth)
    } finally {
      this.#path.pop()
    }
  }

  #primitive(value: unknown): Json {
    if (typeof value === 'string') return this.#text(value)
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'number')
      return Number.isFinite(value) && !Object.is(value, -0) ? value : special({ number: Object.is(value, -0) ? '-0' : `${value}` })
    if (typeof value === 'bigint') return special({ bigint: `${value}` })
    if (typeof value === 'symbol') return special({ symbol: symbolName(value) })
    return special({ undefined: true })
  }

  /** Texts are cut after they were redacted: half a secret would not be found. Only huge texts are cut here. */
  #text(text: string): Json {
    const most = this.#limits.text + LONGEST_SECRET
    return text.length <= most ? text : special({ text: text.slice(0, most), length: text.length })
  }

  #object(value: object, depth: number): Json {
    if (Array.isArray(value)) return this.#list(value, depth)
    if (types.isMap(value)) return this.#collection(value, depth, { ...otherClass(value, 'Map'), map: this.#entries(value, depth) })
    if (types.isSet(value)) return this.#collection(value, depth, { ...otherClass(value, 'Set'), set: this.#members(value, depth) })
    if (types.isDate(value)) return special({ date: dateText(timeOf(value)) })
    if (types.isRegExp(value)) return special({ regexp: [...patternOf(value)] })
    if (types.isAnyArrayBuffer(value) || types.isArrayBufferView(value))
      return special({ class: classOf(value) ?? 'bytes', bytes: bytesOf(value) })
    if (types.isBoxedPrimitive(value))
      return special({ class: classOf(value) ?? 'Object', boxed: this.describe(boxedOf(value), depth + 1) })
    if (types.isExternal(value)) return special({ unread: 'native' })
    if (types.isModuleNamespaceObject(value)) return special({ module: true })
    if (types.isNativeError(value)) return this.#error(value, depth)
    if (isOfPlatform(value)) return special({ class: classOf(value), unread: 'native' })
    return this.#fields(value, depth)
  }

  #list(list: readonly unknown[], depth: number): Json {
    const { items } = this.#limits
    const length = lengthOf(list)
    const [head, tail] = length <= items ? [length, length] : [Math.ceil(items / 2), length - Math.floor(items / 2)]
    const described: Json[] = []
    const add = (from: number, to: number): void => {
      for (let index = from; index < to; index += 1) described.push(this.#property(list, String(index), depth))
    }
    add(0, head)
    if (tail > head) described.push(special({ more: tail - head }))
    add(tail, length)
    // A longer list has too many names to look through.
    const fields = length > MOST_LISTED ? {} : this.#ownFields(list, depth, (key) => key !== 'length' && !isIndex(key))
    const name = otherClass(list, 'Array')
    if (name.class === undefined && Object.keys(fields).length === 0) return described
    return { $: { ...name, items: described }, ...fields }
  }

  /** Describes a collection, with its own fields. */
  #collection(value: object, depth: number, contents: Readonly<Record<string, Json>>): Json {
    return { $: contents, ...this.#ownFields(value, depth, () => true) }
  }

  #entries(map: object, depth: number): Json[] {
    const entries: Json[] = []
    eachOfMap(map, (value, key) => {
      if (entries.length < this.#limits.items) entries.push([this.describe(key, depth + 1), this.describe(value, depth + 1)])
    })
    return [...entries, ...moreThan(sizeOf(map), entries.length)]
  }

  #members(set: object, depth: number): Json[] {
    const members: Json[] = []
    eachOfSet(set, (value) => {
      if (members.length < this.#limits.items) members.push(this.describe(value, depth + 1))
    })
    return [...members, ...moreThan(sizeOf(set), members.length)]
  }

  /** Does not read the stack of an error: it is computed on the first read, by a function that a program may replace. */
  #error(error: object, depth: number): Json {
    const fields = this.#ownFields(
      error,
      depth,
      (key) => key !== 'stack' && (isEnumerable(error, key) || key === 'message' || key === 'cause' || key === 'errors'),
    )
    return { $: { error: classOf(error) ?? 'Error' }, ...fields }
  }

  #fields(value: object, depth: number): Json {
    // Node 22 stores asynchronous contexts on their resources, such as promises.
    const isOwn = (key: PropertyKey): boolean => typeof key !== 'symbol' || !ofNode.has(symbolName(key))
    const fields = this.#ownFields(value, depth, isOwn)
    const name = classOf(value)
    if (name === undefined || name === 'Object') return fields
    const described = { $: { class: name }, ...fields }
    if (!types.isPromise(value)) this.instances.push({ value, described, depth })
    return described
  }

  #ownFields(value: object, depth: number, isRead: (key: PropertyKey) => boolean): Record<string, Json> {
    const fields: Record<string, Json> = {}
    const keys = ownNames(value).filter(isRead)
    for (const key of keys.slice(0, this.#limits.items)) {
      const name = typeof key === 'symbol' ? `Symbol(${symbolName(key)})` : key === '$' ? '"$"' : String(key)
      // A plain assignment to `__proto__` would set the prototype of the description.
      Object.defineProperty(fields, name, {
        value: this.#property(value, key, depth),
        enumerable: true,
        writable: true,
        configurable: true,
      })
    }
    if (keys.length > this.#limits.items) fields['…'] = special({ more: keys.length - this.#limits.items })
    return fields
  }

  #property(holder: object, key: PropertyKey, depth: number): Json {
    const property = ownProperty(holder, key)
    if (property === undefined) return special({ hole: true })
    return property === 'accessor' ? special({ getter: true }) : this.describe(property.value, depth + 1)
  }
}

/** Describes a value that JSON cannot represent. */
export function special(what: Readonly<Record<string, Json | undefined>>): Json {
  return { $: what as Record<string, Json> }
}

const ofNode: ReadonlySet<string> = new Set(['async_id_symbol', 'trigger_async_id_symbol', 'kResourceStore'])

/** The characters kept after a text's limit, so that a secret that begins within the limit is found. */
const LONGEST_SECRET = 16_384

/** Other fields are looked for only in lists of up to this many items. */
const MOST_LISTED = 10_000

function otherClass(value: object, usual: string): { readonly class?: string } {
  const name = classOf(value)
  return name === undefined || name === usual ? {} : { class: name }
}

function isIndex(key: PropertyKey): boolean {
  return typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key)
}

function moreThan(size: number, read: number): Json[] {
  return size > read ? [special({ more: size - read })] : []
}

function lengthOf(list: object): number {
  const length = ownValue(list, 'length')
  return typeof length === 'number' ? length : 0
}

function kindOf(value: object): string {
  return Array.isArray(value) ? 'Array' : 'Object'
}

function dateText(time: number): string {
  return Number.isNaN(time) ? 'invalid' : new RealDate(time).toISOString()
}

/** Taken early: the agent may replace it, and a replay does. */
const RealDate = Date
