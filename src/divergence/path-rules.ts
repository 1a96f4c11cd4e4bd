import { runOutside } from '../run/scope.ts'
import type { Boundary } from '../trace/boundary.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { type Json, type PathKey, isReserved, setOwn } from '../trace/json.ts'
import { type PathPattern, anyKey, parsePath, toPath } from '../trace/path.ts'
import { fromRecorded, toRecorded } from '../trace/values.ts'
import type { NormalInput } from './normal-input.ts'
import { type Fields, isFields } from './same-value.ts'
import stringify from 'fast-json-stable-stringify'
import { withoutDates } from './dates.ts'

/** How a value is changed before it is compared: `uuid`, `date`, `whitespace`, `sorted`, or a function that returns the new value. */
export type Normalizer = NormalizerName | ((value: never) => unknown)

/** Places that are ignored or normalized before comparing, by the paths that reports print. */
export interface PathRuleOptions {
  readonly ignore?: readonly string[]
  readonly normalize?: Readonly<Record<string, Normalizer>>
  /** Names of request headers, in any case. They may match nothing. */
  readonly ignoredHeaders?: readonly string[]
}

/** A place, and how its value changes. */
interface PathRule {
  readonly path: string
  readonly keys: PathPattern
  /** Whether it may match nothing. */
  readonly mayMiss?: true
  /** Undefined if the value is left out. */
  readonly change: ((value: unknown) => unknown) | undefined
}

/** Changes both sides of a comparison: ignored values are left out, normalized values are replaced. */
export class PathRules {
  readonly #rules: readonly PathRule[]
  readonly #met = new Set<PathRule>()
  /** The first error that a normalizer threw. It invalidates every comparison. */
  failure: GoldenrunError | undefined

  /** @param onProblem Called with an invalid option and the reason. Has to throw. */
  constructor(
    { ignore = [], normalize = {}, ignoredHeaders = [] }: PathRuleOptions,
    onProblem: (option: string, problem: string) => never,
  ) {
    const keysOf = (option: string, path: unknown): PathPattern => readPattern(path, (problem) => onProblem(option, problem))
    this.#rules = [
      ...ignore.map((path): PathRule => ({ path, keys: keysOf('ignore', path), change: undefined })),
      ...ignoredHeaders.map((name): PathRule => {
        const keys = ['headers', name.toLowerCase()]
        return { path: toPath(keys, ''), keys, change: undefined, mayMiss: true }
      }),
      ...Object.entries(normalize).map(([path, normalizer]): PathRule => {
        const change = typeof normalizer === 'function' ? this.#guard(path, normalizer) : named(normalizer)
        if (typeof change === 'function') return { path, keys: keysOf('normalize', path), change }
        const names = Object.keys(normalizers).join(', ')
        return onProblem(
          'normalize',
          `has ${JSON.stringify(normalizer)} for ${JSON.stringify(path)}: it takes a function, or one of ${names}.`,
        )
      }),
    ]
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** Applies the rules to a normal input. Paths of a model call start in its body, as in reports. */
  input(boundary: Boundary, input: NormalInput): NormalInput {
    if (this.isEmpty) return input
    if (boundary !== 'model' || !isFields(input['body'])) return this.value(input) as NormalInput
    const { body, ...rest } = input
    return { ...(this.value(rest) as NormalInput), body: this.value(body) }
  }

  /** Applies the rules to a value in recorded form: an outcome, or `{ state }`. */
  value(value: unknown): unknown {
    return this.#rules.reduce((changed, rule) => this.#apply(rule, changed), value)
  }

  /** The paths that have matched nothing so far, as passed. */
  get unmet(): string[] {
    return this.#rules.filter((rule) => rule.mayMiss !== true && !this.#met.has(rule)).map(({ path }) => path)
  }

  #apply(rule: PathRule, value: unknown): unknown {
    return changeAt(value, rule.keys, (found) => {
      this.#met.add(rule)
      return rule.change === undefined ? leftOut : rule.change(found)
    })
  }

  /** Calls a user's function with plain values, outside of the run, so that it reads nothing from the run's clock and random sources. */
  #guard(path: string, normalizer: (value: never) => unknown): (value: unknown) => unknown {
    return (value) => {
      try {
        return runOutside(() => toComparable(normalizer(fromRecorded(value as Json) as never)))
      } catch (error) {
        this.failure ??= new GoldenrunError(
          'GOLDENRUN_NORMALIZE',
          `The normalizer of ${JSON.stringify(path)} threw: ${String(error)}. It receives every value at its path, and has to handle them all.`,
          { cause: error },
        )
        return value
      }
    }
  }
}

/** Everything is compared unchanged. */
export const noRules: PathRules = new PathRules({}, (option, problem) => {
  throw new Error(`${option} ${problem}`)
})

const leftOut = Symbol('left out')

/** The result of a normalizer, in recorded form. Refuses promises and functions, because each would equal any other. */
function toComparable(value: unknown): Json {
  const unkept: string[] = []
  const recorded = toRecorded(value, (_path, why) => void unkept.push(why))
  if (unkept[0] !== undefined) throw new TypeError(`it returned ${unkept[0]}, which cannot be compared`)
  return recorded
}

function named(normalizer: NormalizerName): ((value: unknown) => unknown) | undefined {
  return Object.hasOwn(normalizers, normalizer) ? normalizers[normalizer] : undefined
}

function readPattern(path: unknown, onProblem: (problem: string) => never): PathPattern {
  if (typeof path !== 'string') return onProblem(`has to hold paths, got ${JSON.stringify(path)}.`)
  const keys = parsePath(path)
  if ('problem' in keys) return onProblem(`has to hold paths like args.items[*]["odd key"]: ${keys.problem}.`)
  if (keys[0] === 'model' && keys.length === 1) {
    return onProblem('cannot hold "model": allow a different model by name, { allowModelDrift: [{ from, to }] }.')
  }
  return typeof keys[0] === 'string' ? keys : onProblem(`has to hold paths that start with a name, got ${JSON.stringify(path)}.`)
}

/** A copy with `change` applied to the values that match the pattern; the value itself if nothing matches. */
function changeAt(value: unknown, [key, ...rest]: PathPattern, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  const names = keysAt(value, key)
  if (names.length === 0) return value
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Fields) }
  for (const name of names) {
    const changed = changeAt(Reflect.get(copy, name), rest, change)
    if (changed !== leftOut) setOwn(copy, name, changed)
    // An ignored item keeps its place, so that later items keep their index.
    else if (Array.isArray(copy)) copy[Number(name)] = { $: { unkept: 'ignored' } }
    else Reflect.deleteProperty(copy, name)
  }
  return copy
}

function keysAt(value: unknown, key: PathPattern[number]): PathKey[] {
  if (Array.isArray(value)) {
    if (key === anyKey) return [...value.keys()]
    return typeof key === 'number' && key < value.length ? [key] : []
  }
  if (!isFields(value) || isReserved(value)) return []
  if (key === anyKey) return Object.keys(value)
  return typeof key === 'string' && Object.hasOwn(value, key) ? [key] : []
}

/** Names of the built-in normalizers, applied to values before they are compared. */
type NormalizerName = 'uuid' | 'date' | 'whitespace' | 'sorted'

const uuids = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

/** The built-in normalizers, for values in recorded form. */
const normalizers: Readonly<Record<NormalizerName, (value: unknown) => unknown>> = {
  uuid: (value) => mapTexts(value, (text) => text.replaceAll(uuids, '<uuid>')),
  date: (value) => (isDate(value) ? '<date>' : mapTexts(value, withoutDates)),
  whitespace: (value) => mapTexts(value, (text) => text.trim().replaceAll(/\s+/g, ' ')),
  sorted: (value) => (Array.isArray(value) ? sort(value) : value),
}

function sort(items: readonly unknown[]): unknown[] {
  const keyed = items.map((item) => ({ item, key: stringify(item) ?? '' }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
}

/** A number that counts from the epoch, or a recorded Date. */
function isDate(value: unknown): boolean {
  if (typeof value === 'number') return withoutDates(String(value)) === '<date>'
  return isFields(value) && isReserved(value) && isFields(value['$']) && 'date' in value['$']
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, map))
  if (!isFields(value) || isReserved(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapTexts(field, map)]))
}
