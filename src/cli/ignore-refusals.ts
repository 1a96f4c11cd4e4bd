import { inspect } from 'node:util'
import { ContactRefusedError } from '../boundaries/contact/contact-refused-error.ts'
import { say } from '../run/tell.ts'
import { RefusedError } from '../replay/judge/refused-error.ts'

const refusals: readonly unknown[] = [ContactRefusedError.code, RefusedError.code]

/**
 * Lets a command go on where nobody waits for a call that is refused, or listens to its error: the report has it. Any other error that nobody
 * handles ends the process, as without a listener.
 */
export function ignoreRefusals(): void {
  process.on('unhandledRejection', (reason) => {
    if (!isRefusal(reason)) throw reason
  })
  process.on('uncaughtException', (error) => {
    if (isRefusal(error)) return
    say(inspect(error))
    process.exit(1)
  })
}

/** Clients put a refusal into an error of their own, or into an event. */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if (refusals.includes(Reflect.get(error, 'code'))) return true
  return isRefusal(Reflect.get(error, 'cause')) || isRefusal(Reflect.get(error, 'error'))
}
