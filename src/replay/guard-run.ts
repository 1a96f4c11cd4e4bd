import { guardLost } from '../boundaries/contact/guard.ts'
import type { Restore } from '../boundaries/patches.ts'
import type { ReplayingRun } from './replaying-run.ts'
import type { ReplaySettings } from './replay-options.ts'

/**
 * Keeps what belongs neither to the run nor to a test from the world while the run goes on. It is found in the run: the module that makes it is the
 * agent's. What goes to muted hosts is refused only.
 */
export function guardRun(run: ReplayingRun, { guard, live }: ReplaySettings): Restore {
  if (guard === 'run') return () => undefined
  return guardLost({
    live,
    onRefused({ door, host }) {
      if (/^[\w.-]+(?::\d+)?$/.test(host) && run.mutes(`https://${host}`)) return
      run.log.contact(`${door} ${host}`)
      run.findings.contact({ door, host }, { isLost: true })
      run.conductor.wake()
    },
  })
}
