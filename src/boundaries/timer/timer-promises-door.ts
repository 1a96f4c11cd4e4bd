import type { TimerOptions } from 'node:timers'
import timers from 'node:timers/promises'
import { currentScope, type Scope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { forgetRunImmediate, startRunImmediate } from './run-immediate.ts'
import { startRunTimeout } from './run-timeout.ts'

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

/** The scheduler's methods are on an internal class, so they are replaced on its only instance. */
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

/** Returns the scope to wait in; undefined if Node itself has to refuse the arguments. */
function waitingScope(delay: unknown, options: unknown): Scope | undefined {
  const scope = currentScope()
  return scope !== undefined && isWaitAccepted(delay, options) ? scope : undefined
}

function wait<Value>(scope: Scope, delay: number | undefined, value: Value, options: TimerOptions | undefined): Promise<Value> {
  return abortable(options?.signal, (resolve) => {
    const timeout = startRunTimeout(scope, delay, false, () => resolve(value))
    if (options?.ref === false) timeout.unref()
    return () => timeout.close()
  })
}

function nextTurn<Value>(scope: Scope, value: Value, options: TimerOptions | undefined): Promise<Value> {
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

/**
 * The promised `setInterval`: yields `value` each time the interval fires. Firings while the reader was busy are yielded immediately. Like
 * Node's own, the interval starts with the first read.
 */
async function* ticksOf<Value>(
  scope: Scope,
  delay: number | undefined,
  value: Value,
  { signal, ref = true }: TimerOptions = {},
): AsyncGenerator<Value, never> {
  throwIfAborted(signal)
  let due = 0
  let wake: (() => void) | undefined
  const interval = startRunTimeout(scope, delay, true, () => {
    due += 1
    wake?.()
  })
  if (!ref) interval.unref()
  const onAbort = (): void => {
    interval.close()
    wake?.()
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      throwIfAborted(signal)
      if (due === 0) {
        await new Promise<void>((resolve) => (wake = resolve))
        continue
      }
      for (; due > 0; due -= 1) yield value
    }
  } finally {
    interval.close()
    signal?.removeEventListener('abort', onAbort)
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortError(signal)
}

/** Returns whether Node accepts these arguments of a promised timer. */
function isWaitAccepted(delay: unknown, options: unknown): boolean {
  if (delay !== undefined && typeof delay !== 'number') return false
  if (options === undefined) return true
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
  const { signal, ref } = options as { readonly signal?: unknown; readonly ref?: unknown }
  return (ref === undefined || typeof ref === 'boolean') && (signal === undefined || isSignal(signal))
}

/** Like Node, accepts any object with an `aborted` property. */
function isSignal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'aborted' in value
}

/** The error that Node's own promised timers reject with; Node does not export its class. */
class AbortError extends Error {
  readonly code = 'ABORT_ERR'
  override readonly name = 'AbortError'

  /** @param signal The aborted signal. */
  constructor(signal: AbortSignal) {
    super('The operation was aborted', { cause: signal.reason })
  }
}
