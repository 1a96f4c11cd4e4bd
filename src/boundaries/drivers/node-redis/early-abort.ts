import type { Scope } from '../../../run/scope.ts'
import { answerDriverCall, type DriverCall } from '../driver-call.ts'
import type { CommandOptions } from './node-redis-client.ts'

/** What becomes of a command that is aborted before the driver could send it. */
export interface EarlyAbort {
  /** It has been aborted. */
  readonly hasCome: boolean
  /** Rejects: of a recorded command that was sent, it is another call. */
  refuse(): Promise<never>
}

/**
 * Watches whether a command is aborted in the code that makes it. The driver sends nothing before that is through, and later it may have sent it.
 *
 * @param options Of the command.
 */
export function watchEarlyAbort(
  scope: Scope,
  call: DriverCall,
  { abortSignal, signal = abortSignal }: CommandOptions = {},
): EarlyAbort | undefined {
  if (signal === undefined) return undefined
  let hasCome = signal.aborted
  const hear = (): void => void (hasCome = true)
  signal.addEventListener('abort', hear, { once: true })
  process.nextTick(() => signal.removeEventListener('abort', hear))
  return {
    get hasCome() {
      return hasCome
    },
    async refuse() {
      const { input } = call
      const aborted = { ...(Array.isArray(input) ? { args: input as unknown[] } : (input as object)), aborted: true }
      await answerDriverCall(scope, { ...call, input: aborted })
      throw new Error('The command was aborted')
    },
  }
}
