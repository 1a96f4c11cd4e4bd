import type { RecordedRun } from '../../run/active-run.ts'
import { suspects } from './addons.ts'
import { isStarted } from './started-children.ts'
import { isStillThere } from './known-owners.ts'
import type { Seen } from './look-messages.ts'
import { lookThread } from './look-thread.ts'
import { describeNative, nameOfSighting } from './native-contact.ts'
import { readLooped } from './read-sockets.ts'

/**
 * Notes what native code has open during a recorded run: what neither an event loop of Node's waits for nor Node's own module has started. A replay
 * asks Node, which has to stop all threads for the answer.
 *
 * @param file The worker's file.
 * @returns Looks a last time, and stops watching.
 */
export function watchRecorded(run: RecordedRun, file: string): () => Promise<void> {
  const noted = new Set<string>()
  const thread = lookThread(file)
  const take = ({ sightings }: Seen): void => {
    const unknown = sightings.filter((seen) => seen.lasts && !(seen.kind === 'child' ? isStarted(seen.pid) : seen.isInLoop))
    if (unknown.length === 0) return
    // This thread may have been too busy to hand a new connection over to its loop.
    const looped = readLooped()
    for (const sighting of unknown) {
      if (!isStillThere(sighting) || (sighting.kind === 'connection' && looped.has(sighting.descriptor))) continue
      const { host } = describeNative({ kind: sighting.kind, name: nameOfSighting(sighting) }, suspects())
      if (noted.has(host)) continue
      noted.add(host)
      run.note('native-contact', host)
    }
  }
  const unwatch = thread.watch('record', take)
  return async () => {
    unwatch()
    // Only what two looks have seen counts.
    for (let look = 0; look < 2; look += 1) {
      const seen = await thread.ask()
      if (seen !== undefined) take(seen)
    }
  }
}
