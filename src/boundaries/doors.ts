import { processWide } from '../node/process-wide.ts'
import { clockDoor } from './clock/clock-door.ts'
import { contactDoor } from './contact/contact-door.ts'
import { renewDatabaseDoors } from './contact/databases/database-door.ts'
import { coverDoors, readCovered } from './covers.ts'
import { driverDoor, renewDriverDoors } from './drivers/driver-door.ts'
import { emitterDoor } from './emitter-door.ts'
import { clientRequestDoor } from './http/client-request-door.ts'
import { connectionFactsDoor } from './http/connection-facts.ts'
import { decoderDoor } from './http/decoder-door.ts'
import { dispatcherClassDoor } from './http/dispatcher-class-door.ts'
import { dispatcherDoor, renewDispatcherDoors } from './http/dispatcher-door.ts'
import { fileDoor } from './files/file-door.ts'
import { fetchDoor } from './http/fetch-door.ts'
import { combine, type Restore, syncNamedImports } from './patches.ts'
import { exitListenerDoor } from './process/exit-listener-door.ts'
import { machineDoor } from './machine/machine-door.ts'
import { type Overridden, overriddenOf, readOpenDoors } from './overridden-doors.ts'
import { randomDoor } from './random/random-door.ts'
import { abortSignalDoor, timerDoor } from './timer/timer-door.ts'
import { timerPromisesDoor } from './timer/timer-promises-door.ts'

interface Doors {
  users: number
  /** Set once the file doors are open. */
  files?: Restore
  restore: Restore
  /** Opens doors for what the program has set or loaded since. */
  readonly renew: () => void
  /** Covers doors that a test has replaced since. */
  readonly cover: () => Restore
  /** Names the doors that other code has replaced since. */
  readonly overridden: (withReads: boolean) => Overridden[]
}

// One set of doors for all copies of the package in a realm, because a second copy would patch the patches. A `node:vm` context has its own
// `Date`.
const realms = processWide('doors', () => new WeakMap<object, Doors>())

/**
 * Opens all doors (HTTP, clock, random, timers, facts of the machine), which route calls in a run to that run. Doors are shared and counted;
 * the last release removes them completely. Outside of a run a door has no effect.
 *
 * @param withFiles Whether the file doors are opened too. Default: false.
 * @returns The release; calling it again does nothing.
 */
export function installDoors(withFiles: boolean = false): Restore {
  const doors = realms.get(globalThis) ?? {
    users: 0,
    ...openDoors(withFiles),
    renew: () => combine(renewDispatcherDoors, renewDatabaseDoors, renewDriverDoors)(),
  }
  realms.set(globalThis, doors)
  if (doors.users > 0) doors.renew()
  if (withFiles) openFileDoor()
  doors.users += 1
  let released = false
  return () => {
    if (released) return
    released = true
    doors.users -= 1
    if (doors.users > 0 || realms.get(globalThis) !== doors) return
    shut(doors)
  }
}

/** Shuts the doors of this realm, whoever opened them, for a sandbox that is torn down even with open runs. */
export function closeDoors(): void {
  const doors = realms.get(globalThis)
  if (doors === undefined) return
  shut(doors)
}

function shut(doors: Doors): void {
  realms.delete(globalThis)
  doors.files?.()
  doors.restore()
  syncNamedImports()
}

/**
 * Opens all doors, including the file doors, for tests and commands: they may replay a trace with files, and modules capture functions when
 * they load. In a `node:vm` context, functions imported by name stay what they were then.
 *
 * @returns The release; calling it again does nothing.
 */
export function installReplayDoors(): Restore {
  return installDoors(true)
}

/** Opens the file doors as well, until the last user of the doors has released them. Few programs record files. */
export function openFileDoor(): void {
  const doors = realms.get(globalThis)
  if (doors === undefined || doors.files !== undefined) return
  doors.files = fileDoor()
  syncNamedImports()
}

/**
 * Opens doors for what the program has set or loaded since: a global undici dispatcher, a database driver. Called at the start of every
 * run.
 */
export function renewDoors(): void {
  realms.get(globalThis)?.renew()
}

/**
 * Opens the doors for a replay, even under a test's fake timers: in the replay's run, timers and clock are the run's; outside, they stay the
 * test's.
 */
export function installDoorsOverFakes(): Restore {
  const release = installDoors(true)
  return combine(release, realms.get(globalThis)?.cover() ?? (() => undefined))
}

/** Returns the doors, by name, that a test or another package has replaced since they opened, so that calls do not reach us. @param withReads Whether reads count. */
export function overriddenDoors(withReads: boolean): Overridden[] {
  return realms.get(globalThis)?.overridden(withReads) ?? []
}

function openDoors(withFiles: boolean): Pick<Doors, 'files' | 'restore' | 'cover' | 'overridden'> {
  const all = [
    emitterDoor,
    driverDoor,
    dispatcherDoor,
    dispatcherClassDoor,
    fetchDoor,
    decoderDoor,
    clientRequestDoor,
    connectionFactsDoor,
    timerDoor,
    timerPromisesDoor,
    abortSignalDoor,
    clockDoor,
    randomDoor,
    machineDoor,
    contactDoor,
    () => exitListenerDoor(installReplayDoors),
  ]
  const restore = combine(...all.map((door) => door()))
  const files = withFiles ? { files: fileDoor() } : {}
  syncNamedImports()
  const covered = readCovered()
  const open = readOpenDoors(covered)
  return { ...files, restore, cover: () => coverDoors(covered), overridden: (withReads) => overriddenOf(open, withReads) }
}
