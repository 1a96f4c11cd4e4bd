import { processWide } from '../node/process-wide.ts'
import { clockDoor } from './clock/clock-door.ts'
import { contactDoor } from './contact/contact-door.ts'
import { renewDatabaseDoors } from './contact/databases/database-door.ts'
import { coverDoors, readCovered } from './covers.ts'
import { clientRequestDoor } from './http/client-request-door.ts'
import { decoderDoor } from './http/decoder-door.ts'
import { dispatcherClassDoor } from './http/dispatcher-class-door.ts'
import { dispatcherDoor, renewDispatcherDoors } from './http/dispatcher-door.ts'
import { fetchDoor } from './http/fetch-door.ts'
import { combine, type Restore, syncNamedImports } from './patches.ts'
import { randomDoor } from './random/random-door.ts'
import { abortSignalDoor } from './timer/abort-signal-door.ts'
import { timerDoor } from './timer/timer-door.ts'
import { timerPromisesDoor } from './timer/timer-promises-door.ts'

interface Doors {
  users: number
  restore: Restore
  /** Puts the doors before what the program has set since. */
  readonly renew: () => void
  /** Puts covers over what a test has put in the place of doors since. */
  readonly cover: () => Restore
}

// One set of doors for all copies of the package in a realm: a second copy would patch the patches. A `node:vm` context has its own `Date`.
const realms = processWide('doors', () => new WeakMap<object, Doors>())

/**
 * Opens every door of the world to the run that calls through it: HTTP, clock, random, timers. Doors are shared and counted; the last user's
 * release takes them off without a trace. Outside a run a door passes straight through.
 *
 * @returns The release; calling it again does nothing.
 */
export function installDoors(): Restore {
  const doors = realms.get(globalThis) ?? { users: 0, ...openDoors(), renew: () => combine(renewDispatcherDoors, renewDatabaseDoors)() }
  realms.set(globalThis, doors)
  if (doors.users > 0) doors.renew()
  doors.users += 1
  let released = false
  return () => {
    if (released) return
    released = true
    doors.users -= 1
    if (doors.users > 0 || realms.get(globalThis) !== doors) return
    realms.delete(globalThis)
    doors.restore()
    syncNamedImports()
  }
}

/** Shuts the doors of this realm, whoever has them open: for a sandbox that is given up, with runs still under way in it or not. */
export function closeDoors(): void {
  const doors = realms.get(globalThis)
  if (doors === undefined) return
  realms.delete(globalThis)
  doors.restore()
  syncNamedImports()
}

/** Puts the open doors before what the program has set or loaded since: a global dispatcher of undici's, a database's driver. Called at the start of every run. */
export function renewDoors(): void {
  realms.get(globalThis)?.renew()
}

/**
 * Opens the doors for a replay, fake timers of the test's or not: in its run the timers and the clock are the run's, outside they stay the
 * test's.
 */
export function installDoorsOverFakes(): Restore {
  const release = installDoors()
  return combine(release, realms.get(globalThis)?.cover() ?? (() => undefined))
}

function openDoors(): Pick<Doors, 'restore' | 'cover'> {
  const all = [
    dispatcherDoor,
    dispatcherClassDoor,
    fetchDoor,
    decoderDoor,
    clientRequestDoor,
    timerDoor,
    timerPromisesDoor,
    abortSignalDoor,
    clockDoor,
    randomDoor,
    contactDoor,
  ]
  const restore = combine(...all.map((door) => door()))
  syncNamedImports()
  const covered = readCovered()
  return { restore, cover: () => coverDoors(covered) }
}
