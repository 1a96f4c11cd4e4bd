import { quoteForShell } from '../../../divergence/report/quote-for-shell.ts'
import { warn } from '../../../run/tell.ts'
import { ownCommand } from '../../../stores/package-manager.ts'
import type { RunRow } from '../../../trace/run-row.ts'
import type { Departure, Incident } from './incident.ts'

/** Goldens that were already reported in this process. */
const told = new Set<string>()

/** Warns once about a golden without a trigger, as written by earlier versions, and names the assumed step. */
export function tellDefaultTrigger({ golden, id }: RunRow, departure: Departure, { trigger }: Incident): void {
  const name = golden?.name ?? id
  if (departure.trigger !== undefined || told.has(name)) return
  told.add(name)
  const step = trigger === 'input' ? trigger : trigger.step
  const rest = `promote ${quoteForShell(golden?.promotedFrom ?? id)} --name ${quoteForShell(name)} --incident ${departure.at} --trigger ${step} --force`
  warn(
    `The golden "${name}" does not say what triggered its incident: ${trigger === 'input' ? 'its input' : `step ${step} (${trigger.name})`} is assumed. ` +
      `To confirm it or to name another step, promote its recording again: ${ownCommand(rest)}`,
    'GoldenrunWarning',
  )
}
