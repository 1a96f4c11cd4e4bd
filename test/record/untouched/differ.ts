import { isDeepStrictEqual } from 'node:util'
import { createRecorder } from '../../../src/record/recorder.ts'
import { digest } from '../../../src/replay/traces/digest.ts'
import { replay } from '../../../src/replay/replay.ts'
import { currentRun } from '../../../src/run/current-run.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { disposeAfter } from '../../support/dispose-after.ts'
import { createRandom } from '../../support/random.ts'
import { readRecording } from '../../support/read-recording.ts'
import { toGoldenTrace } from '../../support/replay-clean.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { type Behaviour, drawBehaviour } from './behaviour.ts'
import { startOrigin } from './origin.ts'
import { type Seen, send } from './send.ts'

/** A behaviour that a program sees otherwise where it is recorded. */
export interface Difference {
  readonly behaviour: Behaviour
  readonly plain: Seen
  readonly recorded: Seen
}

/** A behaviour that a program sees otherwise where its recording is replayed. */
export interface ReplayedDifference {
  readonly behaviour: Behaviour
  readonly recorded: unknown
  readonly replayed: unknown
}

/** What came of so many random behaviours. */
export interface Differed {
  readonly differences: readonly Difference[]
  readonly replayedDifferently: readonly ReplayedDifference[]
  /** Behaviours that differ from one time to the next without a recorder. */
  readonly flaky: number
  /** Behaviours whose body was seen. */
  readonly read: number
  readonly encoded: number
  readonly failed: number
  /** Runs that the recorder counts as recorded. */
  readonly recorded: number
}

/** How many requests are under way at once. */
const AT_ONCE = 8

/** How often it is tried whether what was seen of a recorded request is seen without a recorder too: whether a body came with the head is chance. */
const AGAIN = 64

/** How long other work keeps each turn of the event loop in the second half of these tries, in milliseconds: what arrives meanwhile is read at once. */
const BUSY = 4

/** Makes random requests twice without a recorder, then once in a recorded run each; those that differ are made without one again. */
export async function differ(count: number, seed: string): Promise<Differed> {
  const random = createRandom(seed)
  const behaviours = Array.from({ length: count }, () => drawBehaviour(random))
  return await disposeAfter(await startOrigin(), async (origin) => {
    const sendAll = (through: (behaviour: Behaviour) => Promise<Seen>): Promise<Seen[]> => mapAtOnce(behaviours, through)
    const plainly = (behaviour: Behaviour): Promise<Seen> => send(origin.urlOf(behaviour), behaviour)
    const first = await sendAll(plainly)
    const second = await sendAll(plainly)
    const {
      seen: recorded,
      replays,
      count: recordedRuns,
    } = await disposeAfter(await createTemporaryDirectory(), async (directory) => {
      const store = directory.resolve('runs')
      const recorder = createRecorder({ store, thread: false, limits: { lateMilliseconds: 0 } })
      const ids = new Map<Behaviour, string>()
      const seen = await sendAll((behaviour) =>
        recorder.run({ agent: 'agent', input: undefined }, () => {
          ids.set(behaviour, currentRun()?.id ?? '')
          return plainly(behaviour)
        }),
      )
      await recorder.close()
      const replayed: Seen[][] = []
      for (const behaviour of behaviours) {
        const { text, file } = await readRecording(store, ids.get(behaviour))
        replayed.push(await replayAll(decodeTrace(text, file, digest), () => plainly(behaviour)))
      }
      return { seen, replays: replayed, count: recorder.stats().recorded }
    })
    const isFlaky = (index: number): boolean => !isDeepStrictEqual(first[index], second[index])
    const differences: Difference[] = []
    const replayedDifferently = behaviours.flatMap((behaviour, index) =>
      // How much had been sent of a request that was aborted at once depends on the connection (docs/doors.md).
      (behaviour.abort === 'before' ? [] : (replays[index] ?? [])).flatMap((replayed) => {
        const difference = {
          behaviour,
          recorded: withoutCookies(withoutCoding(recorded[index] ?? {}, behaviour)),
          replayed: withoutCookies(withoutCoding(replayed, behaviour)),
        }
        return isDeepStrictEqual(difference.recorded, difference.replayed) ? [] : [difference]
      }),
    )
    let flaky = behaviours.filter((_, index) => isFlaky(index)).length
    for (const [index, behaviour] of behaviours.entries()) {
      const difference = { behaviour, plain: first[index] ?? {}, recorded: recorded[index] ?? {} }
      if (isFlaky(index) || isDeepStrictEqual(difference.plain, difference.recorded)) continue
      if (await isSeenPlainly(difference.recorded, () => plainly(behaviour))) flaky += 1
      else differences.push(difference)
    }
    return {
      differences,
      replayedDifferently,
      flaky,
      read: first.filter(({ read }) => typeof read === 'string').length,
      encoded: behaviours.filter(({ codings }) => codings.length > 0).length,
      failed: first.filter((seen) => 'error' in seen || typeof seen['read'] === 'object').length,
      recorded: recordedRuns,
    }
  })
}

/**
 * What a replay shows alike. It encodes a body anew: a client that does not decode the body itself sees other bytes, and their length, but they decode
 * to the same body.
 */
function withoutCoding(seen: Seen, behaviour: Behaviour): Seen {
  if (behaviour.codings.length === 0 || (behaviour.client !== 'axios' && isDecoding(behaviour))) return seen
  // What has arrived when the client stops reading depends on how long the encoded body is (docs/limits.md).
  const { read, headers, headersDistinct, rawHeaders, complete: _complete, before, ...told } = seen
  const { trailers: _trailers, rawTrailers: _rawTrailers, trailersDistinct: _trailersDistinct, ...withoutTrailers } = told
  const isReadToItsEnd = behaviour.abort === undefined && behaviour.read !== 'nothing'
  const rest = isReadToItsEnd ? told : withoutTrailers
  const raw = (rawHeaders ?? []) as readonly string[]
  const isLength = (index: number): boolean => raw[index]?.toLowerCase() === 'content-length'
  const withoutLength = (pairs: object): unknown[] =>
    (Array.isArray(pairs) ? (pairs as [string, unknown][]) : Object.entries(pairs)).filter(([name]) => name !== 'content-length')
  return {
    ...rest,
    ...(before === undefined ? {} : { before: withoutCoding(before as Seen, behaviour) }),
    ...(behaviour.abort === undefined ? { read: isDecoding(behaviour) ? read : withoutQuotes(read) } : {}),
    headers: withoutLength(headers ?? {}),
    headersDistinct: withoutLength(headersDistinct ?? {}),
    rawHeaders: raw.filter((_part, index) => !isLength(index) && !isLength(index - 1)),
  }
}

/** What a client read of a body that it did not decode: an error quotes what it found there. */
function withoutQuotes(read: unknown): unknown {
  if (typeof read !== 'object' || read === null) return typeof read
  const { error } = read as { readonly error?: { readonly message?: string } }
  return error?.message?.endsWith('is not valid JSON') === true ? { error: { ...error, message: 'not valid JSON' } } : read
}

/** The values of cookies have stand-ins: a letter for each letter and a digit for each digit. */
function withoutCookies(seen: unknown): unknown {
  if (typeof seen === 'string') return seen.replaceAll(/(?<=\b(?:sid|cart|theme|lang)=)[^;]*/g, withoutLetters)
  if (Array.isArray(seen)) return seen.map(withoutCookies)
  if (typeof seen !== 'object' || seen === null) return seen
  return Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, withoutCookies(value)]))
}

function withoutLetters(value: string): string {
  return value.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0')
}

/** Whether the client shows the body decoded. */
function isDecoding({ client, codings }: Behaviour): boolean {
  if (client === 'axios') return codings.length === 1
  return client.endsWith('fetch') && !(client === 'undici 6 fetch' && codings.includes('zstd'))
}

/** Replays a recording, and the golden that it would make. Returns what the agent sees of each, and of the divergences what is not equal. */
async function replayAll(trace: Trace, agent: () => Promise<Seen>): Promise<Seen[]> {
  const seen: Seen[] = []
  for (const each of [trace, toGoldenTrace(trace)]) {
    let saw: Seen = {}
    const { divergences } = await replay(each, async () => (saw = await agent()))
    const diverged = divergences.flatMap(({ cause, name }) => (cause === 'outcome' ? [] : [`${cause} ${name ?? ''}`]))
    seen.push(diverged.length === 0 ? saw : { ...saw, diverged })
  }
  return seen
}

/** Whether a request is seen like this without a recorder, in an idle process or in a busy one. */
async function isSeenPlainly(wanted: Seen, request: () => Promise<Seen>): Promise<boolean> {
  for (const isBusy of [false, true]) {
    const stop = isBusy ? keepLoopBusy() : undefined
    const seen = await mapAtOnce(Array.from({ length: AGAIN / 2 }), request)
    stop?.()
    if (seen.some((one) => isDeepStrictEqual(one, wanted))) return true
  }
  return false
}

/** Works after each poll for input, as a recorder that writes does. Gives what ends it. */
function keepLoopBusy(): () => void {
  let next: NodeJS.Immediate
  const work = (): void => {
    const end = performance.now() + BUSY
    while (performance.now() < end);
    next = setImmediate(work)
  }
  next = setImmediate(work)
  return () => clearImmediate(next)
}

async function mapAtOnce<Item, Result>(items: readonly Item[], map: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
