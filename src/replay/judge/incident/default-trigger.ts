import { quoteForShell } from '../../../divergence/report/quote-for-shell.ts'
import { warn } from '../../../run/tell.ts'
import { ownCommand } from '../../../stores/package-manager.ts'
import type { RunRow } from '../../../trace/run-row.ts'
import type { Departure, Incident } from './incident.ts'

/** Goldens that it was said of in this process. */
const told = new Set<string>()

/** Says once of a golden that names no trigger, as those of earlier versions do not, which step is taken for it. */
export function tellDefaultTrigger({ golden, id }: RunRow, departure: Departure, { trigger }: Incident): void {
  const name = golden?.name ?? id
  if (departure.trigger !== undefined || told.has(name)) return
  told.add(name)
  const step = trigger === 'input' ? trigger : trigger.step
  const rest = `promote ${quoteForShell(golden?.promotedFrom ?? id)} --name ${quoteForShell(name)} --incident ${departure.at} --trigger ${step} --force`
  warn(
    `The golden "${name}" does not say what made its incident happen: ${trigger === 'input' ? 'its input' : `step ${step} (${trigger.name})`} is taken. ` +
      `To say so, or to name another step, promote its recording again: ${ownCommand(rest)}`,
    'GoldenrunWarning',
  )
}
