import type { Scope } from '../../run/scope.ts'
import { AbortError } from './abort-error.ts'
import { startRunTimeout } from './run-timeout.ts'
import type { WaitOptions } from './wait-options.ts'

/**
 * The promised `setInterval`: yields `value` each time the interval fires. Firings while the reader was busy are yielded immediately, and
 * the interval starts with the first read, like Node's own.
 */
export async function* ticksOf<Value>(
  scope: Scope,
  delay: number | undefined,
  value: Value,
  { signal, ref = true }: WaitOptions = {},
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
