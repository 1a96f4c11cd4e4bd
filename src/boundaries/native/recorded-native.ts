import type { RecordedRun } from '../../run/active-run.ts'
import { ownFile } from '../../node/own-file.ts'
import { runOutside } from '../../run/scope.ts'
import { onAddon, suspects } from './addons.ts'

/**
 * Notes in a run's trace the packages whose native code may reach the world past all doors, and, on Linux, what they have open while the run goes on.
 * Does nothing before such an addon is loaded.
 *
 * @returns Called when the run has settled.
 */
export function recordNative(run: RecordedRun): () => void {
  const noted = new Set<string>()
  let watch: Promise<() => Promise<void>> | undefined
  const note = (): void => {
    for (const { name, place } of suspects()) {
      if (noted.has(name)) continue
      noted.add(name)
      run.note('native-addon', `${name} (${place})`)
      watch ??= runOutside(() => beginWatch(run))
    }
  }
  const unlisten = onAddon(note)
  note()
  return () => {
    unlisten()
    if (watch !== undefined) void endWatch(run, watch)
  }
}

/** The code that looks is loaded with the first addon that needs it. */
async function beginWatch(run: RecordedRun): Promise<() => Promise<void>> {
  const file = process.platform === 'linux' ? ownFile('boundaries/native/look-worker') : undefined
  if (file === undefined) return () => Promise.resolve()
  const { watchRecorded } = await import('./watch-recorded.ts')
  return watchRecorded(run, file)
}

/** The recording waits for the last look. Without a thread, it goes on without a note. */
async function endWatch(run: RecordedRun, watch: Promise<() => Promise<void>>): Promise<void> {
  const release = run.left?.opens()
  try {
    await (
      await watch
    )()
  } catch {
    return
  } finally {
    release?.()
  }
}
