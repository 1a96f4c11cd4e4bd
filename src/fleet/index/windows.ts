import { hourOfTime } from '../object-keys.ts'

/** Hours, ends included. */
export interface Hours {
  readonly from: string
  readonly to: string
}

/** How far back the newest runs are looked for, in hours, before everything is listed. */
const BACK = [6, 48, 336]

/**
 * The hours to look into, one window after the other, the newest first: who wants a few of the newest runs need not list all there ever were.
 *
 * @param limit How many runs are wanted.
 */
export function* windowsOf({ from, to }: Hours, limit: number): Generator<Hours> {
  const now = Date.now()
  let end = to
  if (limit !== Infinity)
    for (const hours of BACK) {
      const start = hourOfTime(new Date(now - hours * 3_600_000).toISOString())
      if (start <= from || start > end) continue
      yield { from: start, to: end }
      end = hourOfTime(new Date(now - (hours + 1) * 3_600_000).toISOString())
    }
  if (end >= from) yield { from, to: end }
}
