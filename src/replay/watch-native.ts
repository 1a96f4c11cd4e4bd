import { isDeclaredLive } from '../boundaries/contact/guards.ts'
import { ReplayedNative } from '../boundaries/native/replayed-native.ts'
import { isLiveHost } from '../http/live-hosts.ts'
import type { ReplaySettings } from './contract/replay-options.ts'
import type { ReplayingRun } from './replaying-run.ts'

/** Reports what native code does past all doors as divergences of the run. A run that is partly live may do it on purpose. */
export function watchNative(run: ReplayingRun, { live }: ReplaySettings): ReplayedNative {
  return new ReplayedNative({
    // What the whole process has open includes what the project allows it outside of runs.
    isLive: (name) => isLiveHost(name, live) || isDeclaredLive(name),
    onFound(contact) {
      if (run.isPartlyLive) return
      run.log.contact(`${contact.door} ${contact.host}`)
      run.findings.contact(contact)
      run.conductor.wake()
    },
  })
}
