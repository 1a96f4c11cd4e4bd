import { types } from 'node:util'
import { HandleValue } from '../../trace/handle-value.ts'
import { askedInput } from '../asked-arguments.ts'
import { type FunctionStep, callAsStep } from '../function-step.ts'
import { currentScope } from '../scope.ts'
import { Callbacks } from './callbacks.ts'
import { type Method, isCallable, mapParts } from './client-objects.ts'
import { type CallClient, give, keep } from './given.ts'
import { type Link, type Origin, linkOf } from './link.ts'
import { revive } from './revived.ts'

/**
 * Makes a call of a client, or of an object that it returned, a step. The result is wrapped in turn.
 *
 * @param method The method's name; undefined if the object is a function.
 * @param invoke Makes the real call; absent if there is only a trace.
 */
export const callClient: CallClient = (link, method, args, invoke) => {
  const path = method === undefined ? `${link.path}()` : `${link.path}.${method}`
  const asked = askedInput(args.map((arg) => mapParts(arg, asInput)))
  const input = link.on === undefined ? asked : { on: link.on, args: asked }
  const origin: Origin = { path, on: args.length === 0 && link.on === undefined ? undefined : input, parent: link }
  const form: FunctionStep['result'] = {
    keep: (given) => keep(given, origin),
    revive: (kept) => revive(kept, origin, callClient),
  }
  const step = { boundary: 'external', name: path, input: () => input, result: form } as const
  const giveBack = (value: unknown): unknown => give(value, origin, callClient)
  const scope = currentScope()
  const functions = args.filter(isCallback)
  const callbacks = scope && functions.length > 0 ? new Callbacks({ scope, path, form, give: giveBack }, functions) : undefined
  const result = callAsStep(step, args, () => {
    const given = callbacks?.given.values()
    const handed = args.map((arg) => (isCallback(arg) ? (given?.next().value ?? arg) : mapParts(arg, asReal)))
    const call = (): unknown => invoke?.(handed)
    const real = callbacks === undefined ? call() : callbacks.during(call)
    if (!types.isPromise(real)) return giveBack(real)
    // A promise subclass may have other methods; within a run, a promise is only awaited.
    if (currentScope() === undefined && real.constructor !== Promise) return real
    return real.finally(() => callbacks?.close()).then(giveBack)
  })
  return callbacks?.isReplayed === true ? callbacks.replay(result) : result
}

function isCallback(arg: unknown): arg is Method {
  return isCallable(arg) && linkOf(arg) === undefined
}

/** Returns a part of an argument for the recorded input: objects from the client are replaced by their origin. */
function asInput(part: unknown): unknown {
  const link: Link | undefined = linkOf(part)
  if (link !== undefined) return named(link.path)
  return isCallable(part) ? named('Function') : part
}

function named(name: string): HandleValue {
  return new HandleValue({ class: name, methods: [], accessors: [], fields: {} })
}

function asReal(part: unknown): unknown {
  return linkOf(part)?.real ?? part
}
