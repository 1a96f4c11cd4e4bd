import { currentScope, runBelow, type Scope } from '../../run/scope.ts'
import type { Restore } from '../patches.ts'
import { hearPromise, type Told, withCallback } from './agent-callback.ts'
import { Arrival } from '../arrival.ts'
import { connectionOf, startConnecting } from './connection-of-run.ts'
import { answerDriverCall, recordDriverCall } from './driver-call.ts'
import { replaceMethods } from './driver-work.ts'

type Call = (args: readonly unknown[]) => unknown
type Callback = (error: unknown) => unknown

/**
 * Replaces methods by which an agent acquires a connection. When it gets one depends on the database and on other runs, so the call is a step.
 *
 * @param name The step's name: `pg connect`.
 * @param grant Gives the agent its connection in a replay, once the recorded run was connected. Default: the method, over a connection in memory.
 */
export function acquiring(prototype: object, names: readonly string[], name: string, grant?: Call): Restore {
  return replaceMethods(prototype, names, ({ self, args, go, goWith }) => {
    const scope = currentScope()
    if (scope === undefined) return go()
    if (scope.run.mode === 'record') return record(scope, name, (told) => hear(self, 'Promise', told, goWith, args))
    return answer(scope, name, grant ?? goWith, args)
  })
}

/**
 * Replaces methods by which an agent opens a client that stays open for later runs.
 *
 * @param name The name of connecting: `pg connect`.
 * @param promise The property in which the driver keeps the class of its promises.
 */
export function openingClients(prototype: object, names: readonly string[], name: string, promise: string): Restore {
  return replaceMethods(prototype, names, ({ self, args, go, goWith }) => {
    const scope = currentScope()
    // A driver itself refuses to open a client twice.
    if (scope === undefined || connectionOf(self) !== undefined) return go()
    const connection = startConnecting(self, name)
    const told = {
      settle() {
        connection?.opens()
        connection?.ends()
      },
      fail(error: unknown) {
        connection?.fails(error)
        connection?.ends()
      },
    }
    return runBelow(scope, {}, hear(self, promise, told, goWith, args))
  })
}

/** @param prepare Returns the function that makes the call. */
function record(scope: Scope, name: string, prepare: (told: Told) => () => unknown): unknown {
  const arrival = new Arrival()
  // The agent's callback belongs to the run, not to the call.
  const make = prepare({ settle: () => arrival.settle(undefined), fail: (error) => arrival.fail(error) })
  return recordDriverCall(scope, describe(name), arrival, make)
}

function hear(driver: object, promise: string, told: Told, call: Call, args: readonly unknown[]): () => unknown {
  const own = withCallback(args, told)
  return () => hearPromise(driver, promise, told, () => call(own))
}

/** Connects once the recorded run was connected. */
function answer(scope: Scope, name: string, call: Call, args: readonly unknown[]): unknown {
  const granted = answerDriverCall(scope, describe(name), () => Promise.resolve())
  const connect = (given: readonly unknown[]): unknown => runBelow(scope, {}, () => call(given))
  if (typeof args.at(-1) !== 'function') return granted.then(() => connect(args))
  const own = withCallback(args)
  granted.then(() => connect(own), own.at(-1) as Callback)
  return undefined
}

function describe(name: string): { readonly name: string; readonly effect: 'read'; readonly input: readonly unknown[] } {
  return { name, effect: 'read', input: [] }
}
