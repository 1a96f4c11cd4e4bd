import timers from 'node:timers/promises'
import { currentScope, type Scope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { AbortError } from './abort-error.ts'
import { forgetRunImmediate, startRunImmediate } from './run-immediate.ts'
import { ticksOf } from './run-ticks.ts'
import { startRunTimeout } from './run-timeout.ts'
import { isWaitAccepted, type WaitOptions } from './wait-options.ts'

/** `node:timers/promises`: `setTimeout`, `setInterval`, `setImmediate`, `scheduler.wait`, `scheduler.yield`, on the run's own timers. */
export function timerPromisesDoor(): Restore {
  return combine(
    replaceProperty(timers, 'setTimeout', (real) => (delay, value, options) => {
      const scope = waitingScope(delay, options)
      return scope === undefined ? real(delay, value, options) : wait(scope, delay, value as never, options)
    }),
    replaceProperty(timers, 'setImmediate', (real) => (value, options) => {
      const scope = waitingScope(undefined, options)
      return scope === undefined ? real(value, options) : nextTurn(scope, value as never, options)
    }),
    replaceProperty(timers, 'setInterval', (real) => (delay, value, options) => {
      const scope = waitingScope(delay, options)
      return scope === undefined ? real(delay, value, options) : (ticksOf(scope, delay, value, options) as ReturnType<typeof real<never>>)
    }),
    schedulerDoor(),
  )
}

/** Its methods are on an internal class, so they are replaced on its only instance. */
function schedulerDoor(): Restore {
  const { scheduler } = timers
  return combine(
    replaceProperty(scheduler, 'wait', (real) => {
      return function schedulerWait(this: typeof scheduler, delay, options) {
        const scope = this === scheduler ? waitingScope(delay, options) : undefined
        return scope === undefined ? real.call(this, delay, options) : wait(scope, delay, undefined, options)
      }
    }),
    replaceProperty(scheduler, 'yield', (real) => {
      return function schedulerYield(this: typeof scheduler) {
        const scope = this === scheduler ? currentScope() : undefined
        return scope === undefined ? real.call(this) : nextTurn(scope, undefined, undefined)
      }
    }),
  )
}

/** The scope to wait in; undefined if Node itself has to refuse the arguments. */
function waitingScope(delay: unknown, options: unknown): Scope | undefined {
  const scope = currentScope()
  return scope !== undefined && isWaitAccepted(delay, options) ? scope : undefined
}

function wait<Value>(scope: Scope, delay: number | undefined, value: Value, options: WaitOptions | undefined): Promise<Value> {
  return abortable(options?.signal, (resolve) => {
    const timeout = startRunTimeout(scope, delay, false, () => resolve(value))
    if (options?.ref === false) timeout.unref()
    return () => timeout.close()
  })
}

function nextTurn<Value>(scope: Scope, value: Value, options: WaitOptions | undefined): Promise<Value> {
  return abortable(options?.signal, (resolve) => {
    const immediate = startRunImmediate(scope, () => resolve(value))
    if (options?.ref === false) immediate.unref()
    return () => {
      forgetRunImmediate(immediate)
      clearImmediate(immediate)
    }
  })
}

function abortable<Value>(signal: AbortSignal | undefined, start: (resolve: (value: Value) => void) => () => void): Promise<Value> {
  if (signal?.aborted === true) return Promise.reject(new AbortError(signal))
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const stop = start(resolve)
  if (signal === undefined) return promise
  const onAbort = (): void => {
    stop()
    reject(new AbortError(signal))
  }
  signal.addEventListener('abort', onAbort)
  return promise.finally(() => signal.removeEventListener('abort', onAbort))
}
