import type { TimerRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { isCompletion } from '../calls/completions.ts'

/**
 * The firings of each timer, by its first firing. An interval is armed again when it fires: among firings with the same owner and delay,
 * each was set in the tick of the previous one.
 */
export function firingsOf({ rows }: Trace): ReadonlyMap<TimerRow, readonly TimerRow[]> {
  const firings = new Map<TimerRow, TimerRow[]>()
  const last = new Map<string, TimerRow[]>()
  let tick = 0
  for (const row of rows) {
    if (isCompletion(row) && row.sameTick !== true) tick += 1
    if (row.kind !== 'timer') continue
    const { owner, delay, set } = row
    const chain = last.get(`${owner} ${delay} ${set}`)
    last.delete(`${owner} ${delay} ${set}`)
    const firing = chain ?? []
    if (chain === undefined) firings.set(row, firing)
    firing.push(row)
    last.set(`${owner} ${delay} ${tick}`, firing)
  }
  return firings
}
