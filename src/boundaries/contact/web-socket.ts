import type { ClientRequest } from 'node:http'
import { EventEmitter } from 'node:events'
import { hostOf } from '../../http/host-of.ts'
import { runBelow, type Scope } from '../../run/scope.ts'
import { emitIn } from '../http/client-request-events.ts'
import { type DispatchHandler, type DispatchOptions, type Dispatcher, watchHandler } from '../http/undici-types.ts'
import type { Contact } from './contact.ts'
import { claimSocket } from './known-sockets.ts'
import { makeContact } from './make-contact.ts'

/** Handles a WebSocket over `http.request` (the `ws` package) that is not a step because it is live or refused. */
export function contactByRequest(request: ClientRequest, url: string, goOut: () => void): void {
  const contact = { door: 'websocket', host: hostOf(url).address }
  makeContact(
    () => contact,
    (scope) => {
      if (scope === undefined) return goOut()
      emitIn(request, scope, (event, [, socket]) => {
        if (event === 'upgrade') adopt(socket, scope, contact)
      })
      runBelow(scope, {}, goOut)
    },
    // This is how Node's agent reports a failed connection.
    ({ error, later }) => later(() => Reflect.apply(request.onSocket, request, [undefined, error])),
  )
}

/** Handles an undici dispatch that asks for a protocol upgrade and is not a step: a WebSocket that is live or refused, or another protocol. */
export function contactByDispatch(original: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
  const contact = { door: 'websocket', host: hostOf(String(options.origin)).address }
  return makeContact(
    () => contact,
    (scope) => {
      if (scope === undefined) return original.dispatch(options, handler)
      return runBelow(scope, {}, () =>
        original.dispatch(
          options,
          watchHandler(handler, (name, callbackArgs) => {
            if (name === 'onUpgrade' || name === 'onRequestUpgrade') adopt(callbackArgs.at(-1), scope, contact)
          }),
        ),
      )
    },
    ({ error, later }) => {
      later(() => {
        if (handler.onRequestStart === undefined) handler.onError?.(error)
        else handler.onResponseError?.(idleController, error)
      })
      return true
    },
  )
}

const idleController = {
  aborted: false,
  reason: null,
  paused: false,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
}

/** Assigns the socket to this contact and to the code that made it. */
function adopt(socket: unknown, scope: Scope, contact: Contact): void {
  if (!(socket instanceof EventEmitter)) return
  claimSocket(socket, contact)
  emitIn(socket, scope)
}
