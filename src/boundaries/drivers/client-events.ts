import { currentScope, runInScope, type Scope } from '../../run/scope.ts'
import { connectionOf } from './connection-of-run.ts'
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

/** Listens for the events of clients that cannot connect. @param method The method that emits, even without listeners. */
export function hearFailures(prototype: object, method: string, keep = (error: unknown): unknown => error): Restore {
  return hearCalls(prototype, [method], (client, [name, error]) => {
    if (name === 'error') connectionOf(client)?.fails(keep(error))
  })
}

/** Listens for the events of clients that stop connecting: no promise reports this. */
export function hearEnds(prototype: object): Restore {
  return hearCalls(prototype, ['emit'], (client, [name]) => {
    if (name === 'ready' || name === 'end') connectionOf(client)?.ends()
  })
}

/** Makes clients notify their listeners in the run that opened the client, although connecting is not part of the run. */
export function tellInRun(prototype: object): Restore {
  return replaceMethods(prototype, ['emit'], ({ self, args: [name], go }) => {
    const scope = ownEvents.has(name) ? undefined : owners.get(self)
    if (name === 'ready') connectionOf(self)?.opens()
    return scope === undefined || scope.run.closed || currentScope() !== undefined ? go() : runInScope(scope, go)
  })
}
