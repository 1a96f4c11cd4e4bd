import type { Scope } from '../../../run/scope.ts'
import type { AnsweredScope } from '../../mcp/answered-scope.ts'
import { Arrival } from '../../arrival.ts'
import { answerDriverCall, type DriverCall, recordDriverCall, tellQuietly } from '../driver-call.ts'
import type { RedisCall } from '../redis/redis-call.ts'
import { mapItems } from '../redis/redis-replies.ts'
import type { LearnedClient } from './learned-client.ts'
import type { CommandOptions } from './node-redis-client.ts'
import { keepVerbatim, reviveVerbatim, type VerbatimClass } from './verbatim-texts.ts'

/** Makes a call of the driver: gives what the driver's parser gave for it. */
export type Make = () => Promise<unknown>

/**
 * Records a call. What the driver's parser gave is written down before the driver makes a result of it.
 *
 * @param Verbatim The class that the agent wants verbatim texts in, if it wants one.
 */
export function recordCommand(scope: Scope, call: RedisCall, make: Make, Verbatim?: VerbatimClass): Promise<unknown> {
  const arrival = new Arrival<unknown>()
  return recordDriverCall(scope, call, arrival, () =>
    make().then(
      (reply) => {
        tellQuietly(() => arrival.settle(call.replies.name(Verbatim === undefined ? reply : keepVerbatim(reply, Verbatim))))
        return reply
      },
      (error: unknown) => {
        tellQuietly(() => arrival.fail(error))
        throw error
      },
    ),
  )
}

/**
 * Has a call answered by the trace. Nothing comes in between while it is yet to be found out in which form.
 *
 * @param Verbatim As in a recording.
 * @param options Of a command.
 */
export async function answerCommand(
  scope: AnsweredScope,
  call: RedisCall,
  client: LearnedClient,
  Verbatim?: VerbatimClass,
  options?: CommandOptions,
): Promise<unknown> {
  const early = watchEarlyAbort(scope, call, options)
  const answer = answerDriverCall(scope, { ...call, errors: client.classes })
  const isLearning = !client.isKnown
  try {
    const kept = await answer
    if (early?.hasCome === true) return await early.refuse()
    if (isLearning) await untilKnown(scope, client)
    return reviveVerbatim(toReply(call.replies.bare(kept), client), Verbatim)
  } catch (error) {
    if (!isLearning || !(error instanceof Error)) throw error
    await untilKnown(scope, client)
    throw client.toDriverError(error)
  }
}

async function untilKnown({ run }: AnsweredScope, client: LearnedClient): Promise<void> {
  const release = run.opening.hold()
  await client.known
  release()
}

/** What becomes of a command that is aborted before the driver could send it. */
interface EarlyAbort {
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
function watchEarlyAbort(
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

/** The reply as the driver's parser gives it. */
function toReply(kept: unknown, client: LearnedClient): unknown {
  if (kept instanceof Error) return client.toReplyError(kept)
  return mapItems(kept, (item) => toReply(item, client), client.hasBareMaps ? null : Object.prototype)
}
