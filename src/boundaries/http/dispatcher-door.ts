import { currentScope, runBelow, type Scope, scopeBelow } from '../../run/scope.ts'
import { combine, type Restore } from '../patches.ts'
import { answerDispatch } from './answer-dispatch.ts'
import { captureDispatch } from './capture-dispatch.ts'
import { dispatchUrl } from './dispatch-request.ts'
import type { DispatchHandler, DispatchOptions, Dispatcher } from './undici-types.ts'

// Node's own fetch and undici up to 7 look the first one up, undici 8 the second.
const globalDispatchers = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')] as const

/**
 * Undici's global dispatcher, which every fetch of the process goes through: clients that took hold of `fetch` long ago, and `undici.request`.
 * A dispatcher is wrapped, not replaced: what goes out goes out through the one that the program had.
 */
export function dispatcherDoor(): Restore {
  // Node loads its undici when it is first touched, and only then sets its dispatcher.
  void globalThis.Response
  return combine(...globalDispatchers.map(wrapGlobal))
}

function wrapGlobal(key: symbol): Restore {
  const home: { [key: symbol]: Dispatcher | undefined } = globalThis
  const original = home[key]
  if (original === undefined) return () => undefined
  const door = createDoor(original)
  home[key] = door
  return () => {
    if (home[key] === door) home[key] = original
  }
}

function createDoor(original: Dispatcher): Dispatcher {
  const dispatch = (options: DispatchOptions, handler: DispatchHandler): boolean => dispatchThrough(original, options, handler)
  return new Proxy(original, {
    get(target, key) {
      if (key === 'dispatch') return dispatch
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function dispatchThrough(original: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
  const scope: Scope | undefined = scopeBelow() ?? currentScope()
  if (scope === undefined || scope.below?.live !== undefined) return original.dispatch(options, handler)
  if (scope.run.mode === 'replay') return answerDispatch(scope, scope.run, options, handler)
  if (scope.run.mutes(dispatchUrl(options))) return runBelow(scope, { live: 'muted' }, () => original.dispatch(options, handler))
  return captureDispatch(original, scope, scope.run, options, handler)
}
