import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { ownRequire } from '../../node/own-url.ts'
import { methodOf, prototypesFrom, watchEmitterClasses } from '../emitter-door.ts'
import { combine, LaterDoors, replaceProperty, type Restore } from '../patches.ts'
import { isCaptured } from './dispatch-request.ts'
import { dispatchThrough } from './dispatcher-door.ts'
import type { DispatchHandler, DispatchOptions } from './undici-types.ts'

type Prototype = Record<string | symbol, unknown>
type Dispatch = (this: object, options: DispatchOptions, handler: DispatchHandler) => boolean

/** The channel on which every copy of undici publishes each request written to a connection. Source: undici docs/api/DiagnosticsChannel.md. */
const sendHeaders = 'undici:client:sendHeaders'

// Exports of loaded modules that have been inspected, each once.
const loaded = new Set<object>()
let modules = 0

/**
 * A program's own `Client`, `Pool` or `Agent` is not the global dispatcher, and a program may hold several copies of undici. Their classes
 * are found in the exports of CommonJS modules, when an instance is created, and when an instance writes to a connection. From then on, the
 * `dispatch` of a class is a door for all its instances, including earlier ones.
 *
 * @note A class that is in no module (undici in a bundle) and has only earlier instances is found by its first request. Before that, its
 * connections are ordinary contacts.
 */
export function dispatcherClassDoor(): Restore {
  const doors = new LaterDoors()
  const meet = (prototype: object): void => {
    for (const part of prototypesFrom(prototype)) if (!doors.open(part, () => openDispatches(part as Prototype))) return
  }
  for (const prototype of loadedDispatchers()) meet(prototype)
  const connections = new WeakSet<object>()
  const onSent = (message: unknown): void => {
    // A connection keeps its client.
    const connection = field(message, 'socket')
    if (typeof connection !== 'object' || connection === null || connections.has(connection)) return
    connections.add(connection)
    const client = clientBehind(connection)
    if (client !== undefined) meet(Object.getPrototypeOf(client) as object)
  }
  subscribe(sendHeaders, onSent)
  const unwatch = watchEmitterClasses((prototype) => {
    if ('dispatch' in prototype && isDispatcher(prototype)) meet(prototype)
  })
  return () => {
    unwatch()
    unsubscribe(sendHeaders, onSent)
    doors.shut()
  }
}

function openDispatches(part: Prototype): Restore {
  return combine(...dispatchKeys(part).map((key) => replaceProperty(part, key, (original) => createDoor(original as Dispatch))))
}

function createDoor(original: Dispatch): Dispatch {
  return function dispatch(options, handler) {
    // A dispatch passes through an agent, a pool and a client, each with a door.
    if (typeof options === 'object' && options !== null && isCaptured(options)) return original.call(this, options, handler)
    const target = { dispatch: (...args: [DispatchOptions, DispatchHandler]) => Reflect.apply(original, this, args) }
    const origin = options?.origin ?? originOf(this)
    // Either this is not undici's calling convention, or the dispatcher has several upstreams and calls one of them in turn.
    if (origin === undefined || typeof options.path !== 'string' || typeof handler !== 'object') return target.dispatch(options, handler)
    return dispatchThrough(target, options.origin === undefined ? { ...options, origin } : options, handler)
  }
}

/** Returns `dispatch` and the internal method of the same name in undici's classes, because composed dispatchers keep the former. */
function dispatchKeys(part: Prototype): (string | symbol)[] {
  return Reflect.ownKeys(part).filter(
    (key) => (key === 'dispatch' || (typeof key === 'symbol' && key.description === 'dispatch')) && typeof part[key] === 'function',
  )
}

/** Returns whether an object has the methods of a dispatcher. Anything else with a `dispatch` is never treated as one. */
function isDispatcher(value: object): boolean {
  return ['dispatch', 'close', 'destroy'].every((name) => typeof methodOf(value, name) === 'function')
}

function loadedDispatchers(): Iterable<object> {
  const { cache } = ownRequire()
  const names = Object.keys(cache)
  if (names.length === modules) return loaded
  modules = names.length
  for (const name of names) {
    const exported: unknown = cache[name]?.exports
    if (typeof exported !== 'function') continue
    const prototype: unknown = exported.prototype
    if (prototype instanceof EventEmitter && isDispatcher(prototype)) loaded.add(prototype)
  }
  return loaded
}

/** Returns the client that a connection belongs to: a connection holds its parser, and the parser its client. */
function clientBehind(connection: object): object | undefined {
  for (const key of Object.getOwnPropertySymbols(connection)) {
    const held = field(connection, key)
    for (const candidate of [held, field(held, 'client')]) {
      if (typeof candidate === 'object' && candidate !== null && isDispatcher(candidate)) return candidate
    }
  }
  return undefined
}

/** Returns the origin of a dispatcher that is bound to one. */
function originOf(dispatcher: object): string | undefined {
  for (const key of Object.getOwnPropertySymbols(dispatcher)) {
    const held = key.description === 'url' ? field(dispatcher, key) : undefined
    if (held instanceof URL) return held.origin
  }
  return undefined
}

function field(value: unknown, key: string | symbol): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
