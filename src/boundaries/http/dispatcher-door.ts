import { currentScope, isAnswered, type Scope, scopeBelow } from '../../run/scope.ts'
import { builtins } from '../../node/builtins.ts'
import { contactByDispatch } from '../contact/web-socket.ts'
import { dispatchWebSocket, isWebSocketDispatch } from '../websocket/dispatch-web-socket.ts'
import type { Restore } from '../patches.ts'
import { sendMuted } from '../send-muted.ts'
import { answerDispatch } from './answer-dispatch.ts'
import { captureDispatch, readyBody } from './capture-dispatch.ts'
import { dispatchHeaders, dispatchUrl, isCaptured } from './dispatch-request.ts'
import { dispatchLive, goesLive } from './live-call.ts'
import type { DispatchHandler, DispatchOptions, Dispatcher } from './undici-types.ts'

// Node's own fetch and undici up to 7 use the first symbol, undici 8 the second.
const globalDispatchers = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')] as const

/** A global dispatcher and the door before it. */
interface GlobalDoor {
  readonly home: Home
  readonly key: symbol
  original: Dispatcher | undefined
  door: Dispatcher | undefined
}

type Home = { [key: symbol]: Dispatcher | undefined }

// In a `node:vm` context, Node's own fetch belongs to the process and looks up its dispatcher there.
const homes: ReadonlySet<Home> = new Set([globalThis as Home, builtins.vm.runInThisContext('globalThis') as Home])
const globalDoors: readonly GlobalDoor[] = [...homes].flatMap((home) =>
  globalDispatchers.map((key) => ({ home, key, original: undefined, door: undefined })),
)
const doors = new WeakMap<Dispatcher, Dispatcher>()
let isOpen = false

/**
 * Undici's global dispatcher, through which every fetch of the process goes, including clients that captured `fetch` long ago, and
 * `undici.request`. A dispatcher is wrapped, not replaced: requests still go through the program's own.
 */
export function dispatcherDoor(): Restore {
  // Node loads its undici lazily, and only then sets its dispatcher.
  void globalThis.Response
  isOpen = true
  renewDispatcherDoors()
  return () => {
    isOpen = false
    for (const global of globalDoors) {
      const { home, key, door, original } = global
      if (door !== undefined && home[key] === door) home[key] = original
      global.original = global.door = undefined
    }
  }
}

/**
 * Opens doors for global dispatchers that were set since: the undici package sets its own when it is loaded, and a program may set a proxy's
 * at any time.
 */
export function renewDispatcherDoors(): void {
  if (!isOpen) return
  for (const global of globalDoors) {
    const { home, key } = global
    const current = home[key]
    if (current === undefined || current === global.door) continue
    global.original = current
    global.door = withDoor(current)
    home[key] = global.door
  }
}

/** Wraps a dispatcher in a door; cached. */
export function withDoor(original: Dispatcher): Dispatcher {
  const known = doors.get(original)
  if (known !== undefined) return known
  const door = createDoor(original)
  doors.set(original, door)
  // A door is not wrapped again.
  doors.set(door, door)
  return door
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

/** Dispatches through a door, as part of the calling code's run, if any. */
export function dispatchThrough(original: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
  const scope: Scope | undefined = scopeBelow() ?? currentScope()
  if (scope?.below?.live !== undefined || scope?.below?.captured === true || isCaptured(options)) return original.dispatch(options, handler)
  if (options.upgrade && isWebSocketDispatch(options)) return dispatchWebSocket(original, options, handler)
  if (scope === undefined) return original.dispatch(options, handler)
  if (options.upgrade) return contactByDispatch(original, options, handler)
  const { run } = scope
  const url = dispatchUrl(options)
  if (isAnswered(scope))
    return goesLive(scope.run, url)
      ? dispatchLive(scope, handler, (waited) => original.dispatch(options, waited))
      : answerDispatch(scope, options, handler)
  const request = { method: options.method, url, headers: () => dispatchHeaders(options), ...readyBody(options, scope.below) }
  if (run.mutes(request)) return sendMuted(scope, () => original.dispatch(options, handler))
  return captureDispatch(original, scope, url, options, handler)
}
