import { currentScope, runBelow, type Scope, scopeBelow } from '../../run/scope.ts'
import { isLiveOutside } from '../contact/guards.ts'
import { isFree, makeContact, noteContact } from '../contact/make-contact.ts'
import { combine, replaceFunction, type Restore } from '../patches.ts'
import { withCallback } from './agent-callback.ts'
import { isServedHere, type MakeServer, type Opening, serveConnections } from './served-connections.ts'

/** A call of a driver's method. */
export interface MethodCall {
  /** The driver's object. */
  readonly self: object
  /** The method's name. */
  readonly name: string
  readonly args: readonly unknown[]
  /** Calls the driver's own method. */
  readonly go: () => unknown
  /** Calls it with other arguments. @param self Default: the same object. */
  readonly goWith: (args: readonly unknown[], self?: object) => unknown
}

/**
 * Replaces methods by which a driver maintains itself (a pool hands out connections, takes them back, closes them): their work, such as
 * setting a timer, is not the agent's. A callback as the last argument is the agent's, and gets its context back.
 */
export function ownWork(prototype: object, names: readonly string[]): Restore {
  return replaceMethods(prototype, names, ({ args, go, goWith }) => {
    const scope = currentScope() ?? scopeBelow()
    if (scope === undefined) return go()
    const own = withCallback(args)
    return runBelow(scope, scope.below ?? {}, () => goWith(own))
  })
}

/**
 * Replaces methods by which a driver connects. Where connections are refused (in a replay, and outside of runs in a guarded process), the driver
 * is connected to a server in memory, which can only accept the connection. Each call is decided where it is made.
 *
 * @param hostOf The host that it connects to. Outside of runs, connections to hosts declared live are real.
 * @param openingOf When the driver's connection in memory is opened. Default: immediately.
 */
export function connecting(
  prototype: object,
  names: readonly string[],
  makeServer: (driver: object) => MakeServer,
  hostOf: (driver: never) => string,
  openingOf: (driver: object) => Opening | undefined = () => undefined,
): Restore {
  return replaceMethods(prototype, names, ({ self, args, goWith }) => {
    const own = withCallback(args)
    return connectHere(
      hostOf(self as never),
      () => makeServer(self),
      () => goWith(own),
      openingOf(self),
    )
  })
}

/**
 * Like `connecting`, for a function that connects.
 *
 * @param opening When a connection in memory is opened. Default: immediately.
 */
export function connectHere<Result>(host: string, makeServer: () => MakeServer, connect: () => Result, opening?: Opening): Result {
  // A pool connects below the call that needs the connection.
  const scope = currentScope() ?? scopeBelow()
  if (scope === undefined) return isServedHere() || isFree() || isLiveOutside(host) ? connect() : serveConnections(makeServer(), connect)
  if (scope.run.mode === 'record' || scope.below?.live !== undefined) return runBelow(scope, scope.below ?? {}, connect)
  return runBelow(scope, scope.below ?? {}, () => serveConnections(makeServer(), connect, opening))
}

/** Handles driver calls outside of runs, where no trace answers them. */
export function outsideOfRuns<Result>(driver: string, host: string, go: () => Result, refuse: (error: Error) => Result): Result {
  if (isFree()) return go()
  return makeContact(
    () => ({ door: driver, host }),
    () => go(),
    ({ error }) => refuse(error),
  )
}

/** Handles driver work that a run cannot answer: notes it in a recording, refuses it in a replay. @param what For example `notifications`. */
export function unanswered<Result>(scope: Scope, driver: string, what: string, go: () => Result, refuse: (error: Error) => Result): Result {
  const { run, owner } = scope
  if (run.mode === 'replay') return refuse(run.refuseContact(owner, driver, what))
  noteContact(run, { door: driver, host: what })
  return runBelow(scope, {}, go)
}

/** Is notified of method calls, each before the driver carries it out. */
export function hearCalls(prototype: object, names: readonly string[], hear: (driver: object, args: readonly unknown[]) => void): Restore {
  return replaceMethods(prototype, names, ({ self, args, go }) => {
    hear(self, args)
    return go()
  })
}

/** Replaces those of the named methods that the class has: versions of a driver differ. */
export function replaceMethods(prototype: object, names: readonly string[], replace: (call: MethodCall) => unknown): Restore {
  const open = (name: string): Restore =>
    replaceFunction(prototype, name, (original) => {
      return function (...args) {
        const self = this as object
        const goWith: MethodCall['goWith'] = (given, on = self) => Reflect.apply(original, on, given)
        return replace({ self, name, args, go: () => Reflect.apply(original, self, args), goWith })
      }
    })
  return combine(...names.map(open))
}
