import { callSite, captureTrail, printCallSite } from '../run/call-site.ts'
import { say } from '../run/tell.ts'

/** The parts of its run that are read. */
interface EndedRun {
  readonly ended: boolean
  readonly finished: boolean
  readonly stopped: boolean
}

/** What this process has told of. */
const told = new Set<string>()

/**
 * Tells of what is refused after its replay has ended, when no verdict can cover it. Once for each in a process. Nothing after a red replay: its report
 * says what matters.
 *
 * @param what As behind "refused to": `contact mail.example:25 (tcp)`.
 */
export function tellAfterwards(run: EndedRun, what: string): void {
  if (!run.ended || !run.finished || run.stopped || told.has(what)) return
  told.add(what)
  const site = callSite(captureTrail().stack)
  const place = site === undefined ? '' : ` at ${printCallSite(site)}`
  say(
    `goldenrun refused to ${what}${place}: the replay had already ended, for example because the process exits. No verdict covers it. If it belongs to the run, await it there.`,
  )
}
