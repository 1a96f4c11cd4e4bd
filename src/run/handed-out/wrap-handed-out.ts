import { types } from 'node:util'
import { knownOrMade } from '../../trace/remember.ts'
import { orElse } from '../../trace/or-else.ts'
import type { Method } from '../replace-methods.ts'
import { type Scope, runInScope } from '../scope.ts'
import {
  type HandedOut,
  type HandedOutPart,
  type HandedOutWatcher,
  isAsyncIterable,
  isPlainObject,
  isSource,
  offersStreams,
} from './handed-out.ts'
import { dropped, Part, type PartDescription, type PartEnd } from './part.ts'
import { describeResponse, wrapIterator, wrapResponse, wrapStream } from './wrap-source.ts'

/**
 * Wraps an async iterable, a ReadableStream, a Response, or an object that offers them, so that its body runs in the run's scope and its end
 * is known. A run ends when its agent's result has been consumed, abandoned or dropped.
 *
 * @returns The wrapped value, or undefined if the value is none of these.
 */
export function wrapHandedOut(value: unknown, scope: Scope, watcher: HandedOutWatcher): { readonly value: unknown } | undefined {
  if (isInstance(value, Response) && value.body === null) {
    if (!watcher.describesHeaders) return undefined
    watcher.ends({ output: { kind: 'response', ...describeResponse(value, true), yielded: [] } })
    return { value }
  }
  if (isInstance(value, Response) || isInstance(value, ReadableStream)) {
    return { value: new Members(value, scope, watcher).wrap('', value) }
  }
  return isAsyncIterable(value) || offersStreams(value) ? { value: wrapObject(value, scope, watcher) } : undefined
}

/**
 * Wraps an object that is read through its members: an async iterable with other members, or an object that offers streams. The run ends
 * when all accessed members have ended.
 */
function wrapObject(source: object, scope: Scope, watcher: HandedOutWatcher): object {
  const members = new Members(source, scope, watcher)
  // A proxy must not change locked properties of its target.
  const wrapper = new Proxy(orElse(() => Object.isFrozen(source), false) ? { ...source } : source, {
    get(_target, key) {
      if (isAsyncIterable(source)) {
        if (key === Symbol.asyncIterator) return () => members.iterator(source)
        if (key === 'next' || key === 'return' || key === 'throw') return (value: unknown) => members.iterator(source)[key]?.(value)
      }
      const member: unknown = runInScope(scope, () => Reflect.get(source, key, source))
      if (typeof key === 'symbol') return member
      if (typeof member !== 'function') return members.take(key, member)
      return (...args: unknown[]) => members.call(key, member as Method, args)
    },
  })
  dropped.register(wrapper, () => members.drop())
  return wrapper
}

/** The parts of an object that have been taken: the object itself or some of its members. */
class Members {
  readonly #source: object
  readonly #scope: Scope
  readonly #watcher: HandedOutWatcher
  readonly #parts: (HandedOutPart | undefined)[] = []
  readonly #made: Part[] = []
  readonly #taken = new Map<unknown, unknown>()
  /** The names of members that were read, not called. */
  readonly #names = new Set<string>()
  #iterator: AsyncIterator<unknown> | undefined
  #open = 0
  #isOver = false

  constructor(source: object, scope: Scope, watcher: HandedOutWatcher) {
    this.#source = source
    this.#scope = scope
    this.#watcher = watcher
  }

  iterator(source: AsyncIterable<unknown>): AsyncIterator<unknown> {
    this.#iterator ??= wrapIterator(source, this.#scope, this.#part({ name: '', kind: 'iterable' }))
    return this.#iterator
  }

  /** Wraps a member that was read. */
  take(name: string, member: unknown): unknown {
    if (!isSource(member) && !types.isPromise(member)) return member
    this.#names.add(name)
    return knownOrMade(this.#taken, member, () => this.wrap(name, member))
  }

  /** Wraps the result of a member that was called. */
  call(name: string, method: Method, args: readonly unknown[]): unknown {
    const sink = args.find(isWritable)
    const part = sink === undefined ? undefined : this.#part({ name, kind: 'written' })
    sink?.on('close', () => part?.end())
    const result: unknown = runInScope(this.#scope, () => Reflect.apply(method, this.#source, args))
    return part === undefined ? this.wrap(name, result) : result
  }

  /** No further member will be accessed. Forgets those that were, so that a member that nobody reads can be collected, and ends too. */
  drop(): void {
    this.#taken.clear()
    if (this.#open === 0) this.#end(true)
  }

  /** @param name Empty for the object itself. */
  wrap(name: string, value: unknown): unknown {
    if (isInstance(value, ReadableStream)) return wrapStream(value, this.#scope, this.#part({ name, kind: 'stream' }))
    if (!isSource(value) && !types.isPromise(value)) return value
    if (value instanceof Response && value.body !== null) {
      return wrapResponse(
        value,
        value.body,
        this.#scope,
        this.#part({ name, kind: 'response', ...describeResponse(value, this.#watcher.describesHeaders) }),
      )
    }
    if (isAsyncIterable(value)) {
      const part = this.#part({ name, kind: 'iterable' })
      let iterator: AsyncIterator<unknown> | undefined
      const iterable = { [Symbol.asyncIterator]: () => (iterator ??= wrapIterator(value, this.#scope, part)) }
      part.endWith(iterable, () => iterator !== undefined)
      return iterable
    }
    if (types.isPromise(value)) {
      const part = this.#part({ name, kind: 'value' })
      value.then(
        () => part.end(),
        (error: unknown) => part.fail(error),
      )
    }
    return value
  }

  #part(description: PartDescription): Part {
    const index = this.#parts.push(undefined) - 1
    this.#open += 1
    const part = new Part(description, this.#watcher, (end) => this.#ended(index, end))
    this.#made.push(part)
    return part
  }

  #ended(index: number, end: PartEnd): void {
    this.#open -= 1
    if ('error' in end) return this.#end(false, end.error)
    this.#parts[index] = end.part
    this.#skipUnread(end.part.name, index)
    if (this.#open === 0) this.#end(false)
  }

  /**
   * A getter may make a new stream at each access, as those of `streamText` do. Once one of them was read, those that were made earlier and never read
   * will not be: `if (result.textStream) for await (const text of result.textStream)`.
   */
  #skipUnread(name: string, before: number): void {
    if (!this.#names.has(name)) return
    for (const part of this.#made.slice(0, before)) if (part.name === name && part.skip()) this.#open -= 1
  }

  #end(isDropped: boolean, ...failure: readonly unknown[]): void {
    if (this.#isOver) return
    this.#isOver = true
    const [error] = failure
    if (failure.length > 0) return this.#watcher.ends({ error })
    const parts = this.#parts.filter((part) => part !== undefined)
    const [only, ...others] = parts
    if (only?.name === '' && others.length === 0) {
      const { name: _name, ...output } = only
      return this.#watcher.ends({ output: output as HandedOut })
    }
    const values = isPlainObject(this.#source) ? { values: valuesOf(this.#source) } : {}
    this.#watcher.ends({ output: { kind: 'object', yielded: [], parts, ...values, ...(isDropped ? { left: true } : {}) } })
  }
}

function valuesOf(source: object): Readonly<Record<string, unknown>> {
  const isKept = (value: unknown): boolean => !isSource(value) && typeof value !== 'function' && !types.isPromise(value)
  // A getter or a proxy trap may throw.
  return orElse(() => Object.fromEntries(Object.entries(source).filter(([, value]) => isKept(value))), {})
}

function isInstance<Kind>(value: unknown, kind: new (...args: never[]) => Kind): value is Kind {
  return orElse(() => value instanceof kind, false)
}

/** Returns whether a value is a server response. */
function isWritable(value: unknown): value is { on(event: 'close', listener: () => void): unknown } {
  return orElse(
    () => typeof value === 'object' && value !== null && 'writableEnded' in value && 'on' in value && typeof value.on === 'function',
    false,
  )
}
