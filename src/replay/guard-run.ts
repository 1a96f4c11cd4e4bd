import { guardLost } from '../boundaries/contact/guard.ts'
import { isTelemetryContact } from '../http/muted-hosts.ts'
import type { Restore } from '../boundaries/patches.ts'
import type { ReplayingRun } from './replaying-run.ts'
import type { ReplaySettings } from './contract/replay-options.ts'

/**
 * Refuses contacts that belong neither to the run nor to a test while the run goes on, and reports them as divergences of the run, because
 * the agent's modules make them. Telemetry is refused without a report.
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
