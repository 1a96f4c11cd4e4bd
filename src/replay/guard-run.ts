import { guardLost } from '../boundaries/contact/guard.ts'
import { isTelemetryContact } from '../http/muted-hosts.ts'
import type { Restore } from '../boundaries/patches.ts'
import type { ReplayingRun } from './replaying-run.ts'
import type { ReplaySettings } from './contract/replay-options.ts'

/**
 * Keeps what belongs neither to the run nor to a test from the world while the run goes on. It is found in the run: the module that makes it is the
 * agent's. Telemetry is refused only.
 */
export function guardRun(run: ReplayingRun, { guard, live }: ReplaySettings): Restore {
  if (guard === 'run') return () => undefined
  return guardLost({
    live,
    onRefused({ door, host }) {
      if (isTelemetryContact(host, run.mutes)) return
      run.log.contact(`${door} ${host}`)
      run.findings.contact({ door, host }, { isLost: true })
      run.conductor.wake()
    },
  })
}
