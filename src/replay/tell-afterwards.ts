import { callSite, captureTrail, printCallSite } from '../run/call-site.ts'
import { say } from '../run/tell.ts'

/** What this process has told of. */
const told = new Set<string>()

/**
 * Tells of what was refused when its replay was over: nobody reads a verdict of it anymore. Once for each in a process.
 *
 * @param what As behind "refused to": `contact mail.example:25 (tcp)`.
 */
export function tellAfterwards(what: string): void {
  if (told.has(what)) return
  told.add(what)
  const site = callSite(captureTrail().stack)
  const place = site === undefined ? '' : ` at ${printCallSite(site)}`
  say(
    `goldenrun refused to ${what}${place}, which came when the replay was over, for example as the process exited. No verdict is about it. If it belongs to the run, await it there.`,
  )
}
