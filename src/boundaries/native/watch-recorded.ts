import type { RecordedRun } from '../../run/active-run.ts'
import { builtins } from '../../node/builtins.ts'
import { suspects } from './addons.ts'
import { isStarted } from './started-children.ts'
import { isStillThere } from './known-owners.ts'
import type { Seen } from './look-messages.ts'
import { lookThread } from './look-thread.ts'
import { describeNative, nameOfSighting } from './native-contact.ts'
import type { Sighting } from './sighting.ts'
import { readLooped } from './read-sockets.ts'

/**
 * Notes what native code has open during a recorded run: connections that no event loop of Node's waits for, and programs that began meanwhile and that
 * Node's own module has not started. A replay asks Node, which has to stop all threads for the answer.
 *
 * @param file The worker's file.
 * @returns Looks a last time, and stops watching.
 */
export function watchRecorded(run: RecordedRun, file: string): () => Promise<void> {
  const noted = new Set<string>()
  const thread = lookThread(file)
  const since = builtins.os.uptime()
  const isUnknown = (sighting: Sighting): boolean =>
    sighting.kind === 'child' ? sighting.startedAt > since && !isStarted(sighting.pid) : !sighting.isInLoop
  const take = ({ sightings }: Seen): void => {
    const unknown = sightings.filter((sighting) => sighting.lasts && isUnknown(sighting))
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
