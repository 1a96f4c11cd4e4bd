import { ContactRefusedError } from '../boundaries/contact/contact-refused-error.ts'
import { replaceProperty, type Restore } from '../boundaries/patches.ts'
import { processWide } from '../node/process-wide.ts'
import { realProcess } from '../node/real-process.ts'
import { realTimers } from '../node/real-timers.ts'
import { orElse } from '../trace/or-else.ts'
import { RefusedError } from './judge/refused-error.ts'

const refusals: readonly unknown[] = [ContactRefusedError.code, RefusedError.code]

// Replays of all copies of the package and of all sandboxes share the process.
const quiet = processWide('quiet-refusals', () => ({ users: 0, restore: (): void => undefined }))

/**
 * Keeps the process running if no code awaits a refused call or listens to its error, because the verdict reports the refusal. Any other
 * unhandled error has its usual effect.
 *
 * @note A listener would not work: Node never ends a process that has one, and a test runner's own listener would receive the refusal, too.
 * @returns The release; calling it again does nothing.
 */
export function quietRefusals(): Restore {
  if (quiet.users === 0) quiet.restore = replaceProperty(realProcess(), 'emit', withoutRefusals)
  quiet.users += 1
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    // Node reports a rejection after the microtasks in which a replay may end.
    realTimers.setImmediate(() => {
      quiet.users -= 1
      if (quiet.users === 0) quiet.restore()
    })
  }
}

type Emit = typeof process.emit

function withoutRefusals(emit: Emit): Emit {
  return function (this: unknown, ...event: Parameters<Emit>) {
    return isQuiet(event) || Reflect.apply(emit, this, event)
  } as Emit
}

function isQuiet([name, error]: readonly unknown[]): boolean {
  // An error may throw when it is looked at.
  return (name === 'unhandledRejection' || name === 'uncaughtException') && orElse(() => isRefusal(error), false)
}

/** The properties by which errors and events refer to their cause. Node's error for an `error` event of a different realm has a `context`. */
const holding = ['cause', 'error', 'context']

/** Whether an error is, or wraps, a refusal: clients put a refusal into an error of their own, or into an event. */
function isRefusal(error: unknown, seen: readonly unknown[] = []): boolean {
  if (typeof error !== 'object' || error === null || seen.includes(error)) return false
  if (refusals.includes(Reflect.get(error, 'code'))) return true
  const errors: unknown = Reflect.get(error, 'errors')
  const held = [...holding.map((name): unknown => Reflect.get(error, name)), ...(Array.isArray(errors) ? errors : [])]
  return held.some((inner) => isRefusal(inner, [...seen, error]))
}
