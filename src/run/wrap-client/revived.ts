import { ValueNotKeptError } from '../../trace/errors/value-not-kept-error.ts'
import { type HandleParts, HandleValue } from '../../trace/handle-value.ts'
import { UnkeptValue } from '../../trace/unkept-value.ts'
import { isContainer, isOfEmitters, mapParts } from './client-objects.ts'
import { A_FUNCTION, type CallClient, iterate, settle } from './given.ts'
import { type Link, type Origin, addLink, chainOf } from './link.ts'

/**
 * Revives a value from a trace for the agent: data unchanged, and objects whose methods are steps.
 *
 * @throws ValueNotKeptError if nothing was kept. Reading a part that was not kept throws one too.
 */
export function revive(kept: unknown, origin: Origin, call: CallClient): unknown {
  if (kept instanceof UnkeptValue) throw missing(kept, '$', origin)
  return mapParts(kept, (part) => {
    if (part instanceof HandleValue) return reviveHandle(part.parts, origin, call)
    return isContainer(part) && Object.values(part).some((field) => field instanceof UnkeptValue) ? withMissing(part, origin, call) : part
  })
}

function reviveHandle(parts: HandleParts | number, origin: Origin, call: CallClient): unknown {
  if (typeof parts === 'number') return chainOf(origin)[parts]?.given
  const prototype: object = {}
  const given: object = parts.isFunction === true ? (...args: readonly unknown[]) => call(link, undefined, args) : Object.create(prototype)
  const link: Link = addLink({ ...origin, given })
  const home = parts.isFunction === true ? given : prototype
  for (const method of parts.methods) define(home, method, { value: methodOf(link, method, call), writable: true })
  for (const accessor of parts.accessors) define(home, accessor, { get: () => call(link, accessor, []) })
  if (parts.class !== '') define(home, 'constructor', { value: { [parts.class]: () => undefined }[parts.class], writable: true })
  if (parts.iterates !== undefined) {
    const key = Symbol[parts.iterates]
    define(home, key, { value: () => iterate(link, key, call) })
  }
  for (const [name, field] of Object.entries(parts.fields)) defineField(given, name, field, origin, call)
  return given
}

function methodOf(link: Link, method: string, call: CallClient): (...args: readonly unknown[]) => unknown {
  if (method === 'then' || method === 'catch' || method === 'finally') return (...args) => settle(link, method, args, call)
  return (...args) => (isOfEmitters(link.given, method) ? link.given : call(link, method, args))
}

function withMissing(container: object, origin: Origin, call: CallClient): object {
  const revived: object = Array.isArray(container) ? [] : {}
  for (const [name, field] of Object.entries(container)) defineField(revived, name, field, origin, call)
  return revived
}

/**
 * Makes a part that was not kept throw: a function when it is called, so that printing still leaves it out, anything else when it is read.
 */
function defineField(owner: object, name: string, field: unknown, origin: Origin, call: CallClient): void {
  if (!(field instanceof UnkeptValue)) {
    return define(owner, name, { value: revive(field, origin, call), writable: true, enumerable: true })
  }
  const fail = (): never => {
    throw missing(field, `$.${name}`, origin)
  }
  const set = (value: unknown): void => define(owner, name, { value, writable: true, enumerable: true })
  define(
    owner,
    name,
    field.reason === A_FUNCTION ? { value: fail, writable: true, enumerable: true } : { get: fail, set, enumerable: true },
  )
}

function define(owner: object, name: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(owner, name, { configurable: true, ...descriptor })
}

function missing({ reason }: UnkeptValue, path: string, { path: step }: Origin): ValueNotKeptError {
  return new ValueNotKeptError({ path, reason, where: `the result of ${step}` })
}
