import type { RecordedRun } from '../../run/active-run.ts'
import { callSite, captureTrail, printCallSite } from '../../run/call-site.ts'
import { processWide } from '../../node/process-wide.ts'
import type { Contact } from './contact.ts'

const noted = processWide('noted-contacts', () => new WeakMap<RecordedRun, Set<string>>())

/** Notes a contact in a run's trace, once for each door and host, with the agent's line that first makes it. */
export function noteContact(run: RecordedRun, { door, host }: Contact): void {
  const name = `${door} ${host}`
  let known = noted.get(run)
  if (known === undefined) noted.set(run, (known = new Set()))
  if (known.has(name)) return
  known.add(name)
  const site = callSite(captureTrail().stack)
  run.note('unrecorded-contact', site === undefined ? name : `${name} at ${printCallSite(site)}`)
}
