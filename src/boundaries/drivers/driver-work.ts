import { currentScope, runBelow, type Scope, scopeBelow } from '../../run/scope.ts'
import { isLiveOutside } from '../contact/guards.ts'
import { isFree, makeContact, noteContact } from '../contact/make-contact.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { withCallback } from './agent-callback.ts'
import { isServedHere, type MakeServer, type Opening, serveConnections } from './served-connections.ts'

/** A method of a driver's class. */
export type Method = (this: object, ...args: unknown[]) => unknown
type Methods = Record<string, Method>

/**
 * Replaces methods by which a driver looks after itself (a pool hands out connections, takes them back, closes them): what they do, such as setting a
 * timer, is not the agent's doing. A callback at the end of the arguments is the agent's, and gets its context back.
 */
export function ownWork(prototype: object, names: readonly string[]): Restore {
  return replaceMethods(prototype, names, (original) => {
    return function (...args) {
      const scope = currentScope() ?? scopeBelow()
      if (scope === undefined) return Reflect.apply(original, this, args)
      const own = withCallback(args)
      return runBelow(scope, scope.below ?? {}, () => Reflect.apply(original, this, own))
    }
  })
}

/**
 * Replaces methods by which a driver connects. Where connections are refused, it is connected to a server in memory, which can do no more than that: in
 * a replay, and outside of runs where the process is guarded. Each call is decided on where it is made.
 *
 * @param hostOf Where it connects to. Outside of runs, a host that was declared live is connected to for real.
 * @param openingOf When a connection in memory of the driver is opened. Default: at once.
 */
export function connecting(
  prototype: object,
  names: readonly string[],
  makeServer: (driver: object) => MakeServer,
  hostOf: (driver: never) => string,
  openingOf: (driver: object) => Opening | undefined = () => undefined,
): Restore {
  return replaceMethods(prototype, names, (original) => {
    return function (...args) {
      const own = withCallback(args)
      return connectHere(
        hostOf(this as never),
        () => makeServer(this),
        () => Reflect.apply(original, this, own),
        openingOf(this),
      )
    }
  })
}

/**
 * As `connecting`, for a function that connects.
 *
 * @param opening When a connection in memory is opened. Default: at once.
 */
export function connectHere<Result>(host: string, makeServer: () => MakeServer, connect: () => Result, opening?: Opening): Result {
  // A pool connects below the call that needs a connection.
  const scope = currentScope() ?? scopeBelow()
  if (scope === undefined) return isServedHere() || isFree() || isLiveOutside(host) ? connect() : serveConnections(makeServer(), connect)
  if (scope.run.mode === 'record' || scope.below?.live !== undefined) return runBelow(scope, scope.below ?? {}, connect)
  return runBelow(scope, scope.below ?? {}, () => serveConnections(makeServer(), connect, opening))
}

/** Calls of a driver outside of runs, where there is nothing to answer them. */
export function outsideOfRuns<Result>(driver: string, host: string, go: () => Result, refuse: (error: Error) => Result): Result {
  if (isFree()) return go()
  return makeContact(
    () => ({ door: driver, host }),
    () => go(),
    ({ error }) => refuse(error),
  )
}

/** What a driver does in a run that cannot be answered: noted in a recording, refused in a replay. @param what `notifications`. */
export function unanswered<Result>(scope: Scope, driver: string, what: string, go: () => Result, refuse: (error: Error) => Result): Result {
  const { run, owner } = scope
  if (run.mode === 'replay') return refuse(run.refuseContact(owner, driver, what))
  noteContact(run, { door: driver, host: what })
  return runBelow(scope, {}, go)
}

/** Hears of calls of methods, each before the driver carries it out. */
export function hearCalls(prototype: object, names: readonly string[], hear: (driver: object, args: readonly unknown[]) => void): Restore {
  return replaceMethods(prototype, names, (original) => {
    return function (...args) {
      hear(this, args)
      return Reflect.apply(original, this, args)
    }
  })
}

/** Replaces the methods of a class that there are: versions of a driver differ. */
export function replaceMethods(prototype: object, names: readonly string[], replace: (original: Method) => Method): Restore {
  const methods = prototype as Methods
  return combine(...names.filter((name) => typeof methods[name] === 'function').map((name) => replaceProperty(methods, name, replace)))
}
