import timers from 'node:timers/promises'
import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'

interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Whether it keeps the process alive. Default: true. */
  readonly ref?: boolean | undefined
}

/** `node:timers/promises`: `setTimeout`, `setInterval`, `setImmediate`, `scheduler.wait`. They wait on the run's own timers. */
export function timerPromisesDoor(): Restore {
  const timeout = replaceProperty(timers, 'setTimeout', (real) => (delay, value, options) => {
    return currentScope() === undefined ? real(delay, value, options) : wait(delay, options).then(() => value as never)
  })
  const immediate = replaceProperty(timers, 'setImmediate', (real) => (value, options) => {
    if (currentScope() === undefined) return real(value, options)
    return abortable(options, (resolve) => {
      const handle = setImmediate(resolve)
      return () => clearImmediate(handle)
    }).then(() => value as never)
  })
  const interval = replaceProperty(timers, 'setInterval', (real) => (delay, value, options) => {
    return currentScope() === undefined ? real(delay, value, options) : (ticks(delay, value, options) as ReturnType<typeof real<never>>)
  })
  const schedulerWait = replaceProperty(timers.scheduler, 'wait', (real) => {
    return (delay, options) => (currentScope() === undefined ? real.call(timers.scheduler, delay, options) : wait(delay, options))
  })
  return combine(timeout, immediate, interval, schedulerWait)
}

function wait(delay: number | undefined, options: WaitOptions | undefined): Promise<void> {
  return abortable(options, (resolve) => {
    const handle = setTimeout(resolve, delay)
    if (options?.ref === false) handle.unref()
    return () => clearTimeout(handle)
  })
}

async function* ticks<Value>(delay: number | undefined, value: Value, options: WaitOptions | undefined): AsyncGenerator<Value, void> {
  let due = 0
  let wake: (() => void) | undefined
  const handle = setInterval(() => {
    due += 1
    wake?.()
  }, delay)
  if (options?.ref === false) handle.unref()
  try {
    for (;;) {
      // An interval that fired while the reader was busy is handed out at once, as Node does.
      if (due === 0) {
        await abortable(options, (resolve) => {
          wake = resolve
          return () => undefined
        })
      }
      due -= 1
      yield value
    }
  } finally {
    clearInterval(handle)
  }
}

function abortable(options: WaitOptions | undefined, start: (resolve: () => void) => () => void): Promise<void> {
  const signal = options?.signal
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortError(signal))
    const stop = start(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = (): void => {
      stop()
      if (signal !== undefined) reject(abortError(signal))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** The error that Node's own promised timers reject with. */
function abortError(signal: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}
