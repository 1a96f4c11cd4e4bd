import type { AnsweredScope, Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { answerDriverCall, type DriverCall, recordDriverCall, tellQuietly } from '../driver-call.ts'
import type { RedisCall } from '../redis/redis-call.ts'
import { mapItems } from '../redis/redis-replies.ts'
import type { LearnedClient } from './learned-client.ts'
import type { CommandOptions } from './node-redis-client.ts'
import { keepVerbatim, reviveVerbatim, type VerbatimClass } from './verbatim-texts.ts'

/** Makes a call of the driver: returns the result of the driver's parser. */
export type Make = () => Promise<unknown>

/**
 * Records a call. The parser's result is recorded before the driver transforms it.
 *
 * @param Verbatim The class that the agent wants for verbatim texts, if any.
 */
export function recordCommand(scope: Scope, call: RedisCall, make: Make, Verbatim?: VerbatimClass): Promise<unknown> {
  const arrival = new Arrival()
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
 * Answers a call from the trace. While the form of its result is still being learned, nothing else reaches the run.
 *
 * @param Verbatim As in a recording.
 * @param options The command's options.
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

/** A command that is aborted before the driver could send it. */
interface EarlyAbort {
  /** Whether it has been aborted. */
  readonly hasCome: boolean
  /** Rejects: it is a different call from a recorded command that was sent. */
  refuse(): Promise<never>
}

/**
 * Watches whether the code that makes a command aborts it. The driver sends nothing before that code returns; later it may have sent the command.
 *
 * @param options The command's options.
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

/** The reply as the driver's parser returns it. */
function toReply(kept: unknown, client: LearnedClient): unknown {
  if (kept instanceof Error) return client.toReplyError(kept)
  return mapItems(kept, (item) => toReply(item, client), client.hasBareMaps ? null : Object.prototype)
}
