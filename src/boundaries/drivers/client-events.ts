import { currentScope, runInScope, type Scope } from '../../run/scope.ts'
import { ConnectionOfRun } from './connection-of-run.ts'
import { hearCalls, replaceMethods } from './driver-work.ts'
import type { Restore } from '../patches.ts'

/** Events that cluster clients emit to themselves, to continue connecting. */
const ownEvents: ReadonlySet<unknown> = new Set(['refresh', 'close', 'drain', '+node', '-node'])

const owners = new WeakMap<object, Scope>()

/** Remembers the run whose code opens a client: events that the client emits to its listeners belong to that run. */
export function ownClient(client: object): void {
  const scope = currentScope()
  if (scope !== undefined && !owners.has(client)) owners.set(client, scope)
}

const connections = new WeakMap<object, ConnectionOfRun>()

/** The connection that a client is opening for a run, or has opened. */
export function clientConnection(client: object): ConnectionOfRun | undefined {
  return connections.get(client)
}

/** Notes that the running code connects a client. @param name The name of connecting: `redis connect`. */
export function connectClient(client: object, name: string): void {
  const scope = currentScope()
  if (scope !== undefined) connections.set(client, new ConnectionOfRun(scope, name))
}

/** Listens for the events of clients that cannot connect. @param method The method that emits, even without listeners. */
export function hearFailures(prototype: object, method: string, keep = (error: unknown): unknown => error): Restore {
  return hearCalls(prototype, [method], (client, [name, error]) => {
    if (name === 'error') connections.get(client)?.fails(keep(error))
  })
}

/** Listens for the events of clients that stop connecting: no promise reports this. */
export function hearEnds(prototype: object): Restore {
  return hearCalls(prototype, ['emit'], (client, [name]) => {
    if (name === 'ready' || name === 'end') connections.get(client)?.ends()
  })
}

/** Makes clients notify their listeners in the run that opened the client, although connecting is not part of the run. */
export function tellInRun(prototype: object): Restore {
  return replaceMethods(prototype, ['emit'], (original) => {
    return function emit(...args) {
      const scope = ownEvents.has(args[0]) ? undefined : owners.get(this)
      if (args[0] === 'ready') clientConnection(this)?.opens()
      const tell = (): unknown => Reflect.apply(original, this, args)
      return scope === undefined || scope.run.closed || currentScope() !== undefined ? tell() : runInScope(scope, tell)
    }
  })
}
