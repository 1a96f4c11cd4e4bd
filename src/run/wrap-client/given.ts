import { type HandleParts, HandleValue } from '../../trace/handle-value.ts'
import { UnkeptValue } from '../../trace/unkept-value.ts'
import { currentScope } from '../scope.ts'
import {
  type Method,
  isCallable,
  isContainer,
  isHandle,
  isLocked,
  isOfEmitters,
  mapParts,
  namesOf,
  unlockedCopy,
} from './client-objects.ts'
import { type Link, type Origin, addLink, chainOf, linkOf } from './link.ts'

/** The reason why a function in a client's result is not kept. */
export const A_FUNCTION = 'a function'

/** Calls a client, or one of its objects. */
export type CallClient = (
  link: Link,
  method: string | undefined,
  args: readonly unknown[],
  invoke?: (args: readonly unknown[]) => unknown,
) => unknown

/** Returns a client's result for the agent, with objects with methods replaced by wrappers that make their calls steps. */
export function give(value: unknown, origin: Origin, call: CallClient): unknown {
  return mapParts(value, (part) => {
    const above = chainOf(origin).find(({ real }) => real === part && part !== undefined)
    return above?.given ?? (isHandle(part) ? wrap(part, origin, call) : part)
  })
}

/** Returns what a trace keeps of the agent's result. */
export function keep(given: unknown, origin: Origin): unknown {
  return mapParts(given, (part) => {
    const link = linkOf(part)
    if (link?.real === undefined) return part
    const level = chainOf(origin).indexOf(link)
    return new HandleValue(level === -1 ? partsOf(link.real) : level)
  })
}

/** The wrapper of an object from a client. */
function wrap(real: object, origin: Origin, call: CallClient): object {
  const methods = new Map<PropertyKey, { readonly body: Method; readonly wrapped: Method }>()
  const names = namesOf(real)
  const given = new Proxy(isLocked(real) ? unlockedCopy(real) : real, {
    get(_target, key): unknown {
      if ((key === Symbol.iterator || key === Symbol.asyncIterator) && isCallable(Reflect.get(real, key)))
        return () => iterate(link, key, call)
      if (typeof key === 'string' && names.accessors.includes(key)) return call(link, key, [], () => Reflect.get(real, key, real))
      const value: unknown = Reflect.get(real, key, real)
      if (!isCallable(value)) return typeof key === 'string' ? field(link, key, value) : value
      if (typeof key === 'symbol' || key === 'constructor' || key.startsWith('_')) return value
      const known = methods.get(key)
      if (known?.body === value) return known.wrapped
      const wrapped = isOfEmitters(real, key) ? passOn(link, value) : methodOf(link, key, value, call)
      methods.set(key, { body: value, wrapped })
      return wrapped
    },
    set: (_target, key, value) => Reflect.set(real, key, value, real),
    apply: (_target, self, args: readonly unknown[]) =>
      call(link, undefined, args, (changed) => Reflect.apply(real as Method, linkOf(self)?.real ?? self, changed as never[])),
  })
  const link = addLink({ ...origin, real, given })
  return given
}

function methodOf(link: Link, key: string, body: Method, call: CallClient): Method {
  if (key === 'then' || key === 'catch' || key === 'finally') return (...args) => settle(link, key, args, call)
  return (...args) => call(link, key, args, (changed) => Reflect.apply(body, link.real, changed as never[]))
}

/** Settles a lazy thenable, such as a query builder, which starts when it is awaited. */
export function settle(link: Link, key: 'then' | 'catch' | 'finally', args: readonly unknown[], call: CallClient): unknown {
  const { real } = link
  const result = call(link, 'then', [], () => new Promise((resolve, reject) => void (real as PromiseLike<unknown>).then(resolve, reject)))
  return Reflect.apply(Promise.prototype[key] as Method, Promise.resolve(result), args as never[])
}

/** Reads an object piece by piece; each piece is a step. */
export function iterate(link: Link, key: symbol, call: CallClient): object {
  const source = link.real === undefined ? undefined : ((Reflect.get(link.real, key) as Method).call(link.real) as Iterator<unknown>)
  return {
    next: () => call(link, 'next', [], source && (() => source.next())),
    return: (value: unknown) => {
      const result = source?.return?.(value)
      return key === Symbol.asyncIterator ? Promise.resolve(result ?? { done: true, value }) : (result ?? { done: true, value })
    },
    [key]() {
      return this
    },
  }
}

/** Returns a field unchanged. If a trace cannot keep the field, notes that when a run reads it. */
function field(link: Link, key: string, value: unknown): unknown {
  const kept = dataOf(value)
  if (kept instanceof UnkeptValue) currentScope()?.run.note('unkept-value', `${link.path}: its field ${key} (${kept.reason})`)
  return value
}

/** Passes on a method of an event emitter: listeners belong to the agent and are not steps. */
function passOn(link: Link, body: Method): Method {
  return (...args) => {
    const result: unknown = Reflect.apply(body, link.real, args)
    return result === link.real ? link.given : result
  }
}

/** Returns an object with methods in the form that a trace keeps. */
function partsOf(real: object): HandleParts {
  const { methods, accessors } = namesOf(real)
  const name: unknown = Reflect.get(real, 'constructor')
  const fields = Object.entries(real).filter(([, value]) => !isCallable(value))
  const iterates =
    Symbol.asyncIterator in real
      ? ({ iterates: 'asyncIterator' } as const)
      : Symbol.iterator in real
        ? ({ iterates: 'iterator' } as const)
        : {}
  return {
    class: typeof name === 'function' && name !== Object && name !== Function ? name.name : '',
    methods,
    accessors,
    ...iterates,
    ...(typeof real === 'function' ? { isFunction: true } : {}),
    fields: Object.fromEntries(fields.map(([key, value]) => [key, dataOf(value)])),
  }
}

/** Returns a field's value without the parts that are more than data. */
function dataOf(value: unknown): unknown {
  return mapParts(value, (part) => {
    if (isContainer(part) && !isHandle(part)) return part
    if (isCallable(part)) return new UnkeptValue('$', A_FUNCTION)
    return isHandle(part) ? new UnkeptValue('$', `an instance of ${part.constructor?.name ?? 'a class'}`) : part
  })
}
