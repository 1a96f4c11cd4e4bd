import process from 'node:process'
import { environmentDoor } from '../../boundaries/environment/environment-door.ts'
import { localeDoor } from '../../boundaries/environment/locale-door.ts'
import { combine, type Restore } from '../../boundaries/patches.ts'
import { processWide } from '../../node/process-wide.ts'
import { knownOrMade } from '../../trace/remember.ts'
import type { Runtime } from '../../trace/run-row.ts'
import { ownSurroundings } from './own-surroundings.ts'

const shared = processWide('surroundings', () => ({
  /** Doors that only replays open, by realm, with the number of users of each. */
  doors: new WeakMap<object, Map<string, { users: number; readonly restore: Restore }>>(),
  /** The time zone of the current replays, and their number. */
  zone: undefined as string | undefined,
  zoneUsers: 0,
  /** The process's own zone, before any replay changed it. */
  processZone: '',
  restoreZone: (): void => undefined,
  /** Replays in a different zone. */
  waiting: [] as (() => void)[],
}))

/**
 * Gives a replay the surroundings of its recording: its environment variables, its locale and its time zone. The zone is process-wide, so
 * it is set only if it differs, and a replay in a different zone waits until current replays have ended.
 */
export async function useSurroundings({ timeZone, locale }: Runtime): Promise<Restore> {
  const own = ownSurroundings()
  const leaveZone = await enterZone(timeZone)
  const leaveLocale = locale === own.locale ? () => undefined : useDoor('locale', localeDoor)
  const leaveAll = combine(leaveZone, leaveLocale, useDoor('environment', environmentDoor))
  const leave = (): void => {
    if (entered.delete(leave)) leaveAll()
  }
  entered.add(leave)
  return leave
}

/** Restores the surroundings of replays that are still running, for a sandbox that is torn down. */
export function leaveSurroundings(): void {
  for (const leave of entered) leave()
}

const entered = new Set<Restore>()

function useDoor(name: string, open: () => Restore): Restore {
  const doors = knownOrMade(shared.doors, globalThis, () => new Map())
  const door = knownOrMade(doors, name, () => ({ users: 0, restore: open() }))
  door.users += 1
  return () => {
    door.users -= 1
    if (door.users > 0) return
    doors.delete(name)
    door.restore()
  }
}

async function enterZone(timeZone: string): Promise<Restore> {
  while (shared.zoneUsers > 0 && shared.zone !== timeZone) await new Promise<void>((resolve) => shared.waiting.push(resolve))
  shared.zoneUsers += 1
  if (shared.zoneUsers === 1) {
    shared.zone = timeZone
    shared.restoreZone = setZone(timeZone)
  }
  return () => {
    shared.zoneUsers -= 1
    if (shared.zoneUsers > 0) return
    shared.restoreZone()
    for (const enter of shared.waiting.splice(0)) enter()
  }
}

/** @note Uses Node's own `process` module: Jest gives its sandboxes a copy of the global, whose `TZ` has no effect. */
function setZone(timeZone: string): Restore {
  shared.processZone = ownSurroundings().timeZone
  if (timeZone === shared.processZone) return () => undefined
  const previous = process.env['TZ']
  process.env['TZ'] = timeZone
  return () => {
    if (previous === undefined) delete process.env['TZ']
    else process.env['TZ'] = previous
  }
}

/** The process's own time zone, before any replay changed it. */
export function ownZone(): string {
  return shared.zoneUsers > 0 ? shared.processZone : ownSurroundings().timeZone
}
