/** The thread that looks at what the kernel says about this process, however busy its other threads are. Started by `look-thread.ts`. */
import { parentPort } from 'node:worker_threads'
import { look } from './look.ts'
import type { Seen, ToLooker } from './look-messages.ts'
import type { Sighting } from './sighting.ts'

/** Looks may take these parts of the time, so that a process with thousands of sockets is not slowed down. */
const shares = { replay: 0.05, record: 0.01 }
/** The shortest interval between looks, in milliseconds. */
const shortest = 5

/** Of replays, which want to know of everything, and of recordings, for which Node's own connections do not matter. */
const watchers = { replay: 0, record: 0 }
let timer: NodeJS.Timeout | undefined
/** What the last looks took, in milliseconds; to begin with, what one takes in a process with few sockets. */
const durations = [0.3]
/** What the last look saw. */
let last: ReadonlySet<string> = new Set()
/** What was told last. */
let told = ''
/** What needs no telling any more. */
const known = new Set<string>()

parentPort?.on('message', (message: ToLooker) => {
  if (message.kind === 'knows') for (const id of message.ids) known.add(id)
  else if (message.kind === 'ask') tell(lookAgain(), message.question)
  else {
    watchers[message.for] += message.kind === 'watch' ? 1 : -1
    // Who begins to watch is told of what is there already.
    told = ''
    if (isWatched() && timer === undefined) lookSoon(0)
  }
})

function lookSoon(delay: number): void {
  timer = setTimeout(() => {
    timer = undefined
    if (!isWatched()) return
    const start = performance.now()
    const seen = watchers.replay > 0 ? lookAgain() : onlyNative(lookAgain())
    const key = seen.sightings.map(({ id, lasts }) => `${id} ${lasts}`).join()
    if (key !== told) tell(seen)
    told = key
    lookSoon(pause(performance.now() - start))
  }, delay)
}

/** The shortest of the last looks tells what a look costs: the first ones are slow, and others may have the processor. */
function pause(duration: number): number {
  durations.push(duration)
  if (durations.length > 5) durations.shift()
  return Math.max(shortest, Math.min(...durations) / (watchers.replay > 0 ? shares.replay : shares.record))
}

function isWatched(): boolean {
  return watchers.replay + watchers.record > 0
}

function onlyNative(seen: Seen): Seen {
  return { ...seen, sightings: seen.sightings.filter((each) => each.lasts && (each.kind === 'child' || !each.isInLoop)) }
}

function lookAgain(): Seen {
  const { sightings, counters } = look()
  const before = last
  last = new Set(sightings.map(({ id }) => id))
  for (const id of known) if (!last.has(id)) known.delete(id)
  const isNew = ({ id }: Sighting): boolean => !known.has(id)
  return { counters, sightings: sightings.filter(isNew).map((sighting) => ({ ...sighting, lasts: before.has(sighting.id) })) }
}

function tell(seen: Seen, question?: number): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, not a window
  parentPort?.postMessage(question === undefined ? seen : { ...seen, question })
}
