import { combine, type Restore } from '../patches.ts'
import { dateDoor } from './date-door.ts'
import { intlDoor } from './intl-door.ts'
import { marksDoor } from './marks-door.ts'
import { monotonicDoor } from './monotonic-door.ts'
import { createRunClock } from './run-clock.ts'
import { temporalDoor } from './temporal-door.ts'
import { timeOriginDoor } from './time-origin-door.ts'

/** Everything that tells the time: `Date`, `Temporal.Now`, `Intl.DateTimeFormat` of now, `performance`, `process.hrtime`, `process.uptime`. */
export function clockDoor(): Restore {
  const clock = createRunClock(Date.now)
  return combine(dateDoor(clock), intlDoor(clock), temporalDoor(clock), monotonicDoor(), timeOriginDoor(), marksDoor())
}
