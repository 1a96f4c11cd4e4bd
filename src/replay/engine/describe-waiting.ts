import type { Activity } from './conducted.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { VirtualTimer } from './virtual-timers.ts'

/** How many calls and timers are named. */
const named = 3

/**
 * Describes what a run that never ended was waiting for, if known.
 *
 * @param hasLostWork Whether some of the run's own work never finishes.
 */
export function describeWaiting(
  calls: readonly ReplayCall[],
  timers: readonly VirtualTimer[],
  activity: Activity,
  hasLostWork: boolean,
): string[] {
  const open = calls.filter(({ state }) => state === 'open')
  const found = [
    ...list(open.map(describeOpen)),
    ...list(timers.map(({ repeats, delay }) => (repeats ? `an interval of ${delay} ms` : `a timer of ${delay} ms`))),
    ...(activity === 'turning' ? ['the next turn of the event loop'] : []),
    ...(activity === 'sending' ? ['the rest of a request body'] : []),
    ...(hasLostWork ? ["the agent's own I/O, which has not finished"] : []),
  ]
  return found.length === 0 ? ['a promise that nothing known will settle'] : found
}

function describeOpen({ name, planned }: ReplayCall): string {
  if (planned === undefined) return name
  return `step ${planned.call.step}, ${name}${planned.settled === undefined ? ', whose answer was not recorded' : ''}`
}

function list(items: readonly string[]): string[] {
  const distinct = [...new Set(items)]
  return distinct.length <= named ? distinct : [...distinct.slice(0, named), `${distinct.length - named} more`]
}
