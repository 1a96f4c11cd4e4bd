import { isDeepStrictEqual } from 'node:util'
import { createRecorder } from '../../../src/record/recorder.ts'
import { disposeAfter } from '../../support/dispose-after.ts'
import { createRandom } from '../../support/random.ts'
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

/** What came of so many random behaviours. */
export interface Differed {
  readonly differences: readonly Difference[]
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
    const { seen: recorded, count: recordedRuns } = await disposeAfter(await createTemporaryDirectory(), async (directory) => {
      const recorder = createRecorder({ store: directory.resolve('runs'), thread: false, limits: { lateMilliseconds: 0 } })
      const seen = await sendAll((behaviour) => recorder.run({ agent: 'agent', input: undefined }, () => plainly(behaviour)))
      await recorder.close()
      return { seen, count: recorder.stats().recorded }
    })
    const isFlaky = (index: number): boolean => !isDeepStrictEqual(first[index], second[index])
    const differences: Difference[] = []
    let flaky = behaviours.filter((_, index) => isFlaky(index)).length
    for (const [index, behaviour] of behaviours.entries()) {
      const difference = { behaviour, plain: first[index] ?? {}, recorded: recorded[index] ?? {} }
      if (isFlaky(index) || isDeepStrictEqual(difference.plain, difference.recorded)) continue
      if (await isSeenPlainly(difference.recorded, () => plainly(behaviour))) flaky += 1
      else differences.push(difference)
    }
    return {
      differences,
      flaky,
      read: first.filter(({ read }) => typeof read === 'string').length,
      encoded: behaviours.filter(({ codings }) => codings.length > 0).length,
      failed: first.filter((seen) => 'error' in seen || typeof seen['read'] === 'object').length,
      recorded: recordedRuns,
    }
  })
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
