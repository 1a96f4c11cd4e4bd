import process from 'node:process'
import { environmentDoor } from '../../boundaries/environment/environment-door.ts'
import { localeDoor } from '../../boundaries/environment/locale-door.ts'
import { combine, type Restore } from '../../boundaries/patches.ts'
import { processWide } from '../../node/process-wide.ts'
import type { Runtime } from '../../trace/run-row.ts'
import { ownSurroundings } from './own-surroundings.ts'

const shared = processWide<Shared>('surroundings', () => ({
  doors: new WeakMap(),
  zone: undefined,
  processZone: '',
  zoneUsers: 0,
  restoreZone: () => undefined,
  waiting: [],
}))

/**
 * Gives a replay the surroundings of its recording: its environment variables, its locale and its time zone. The zone is the whole process's, so
 * it is set only where it differs, and a replay in another zone waits until those under way are over.
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

/** Ends what replays under way have been given, though they go on: for a sandbox that is given up. */
export function leaveSurroundings(): void {
  for (const leave of entered) leave()
}

const entered = new Set<Restore>()

interface Shared {
  /** Doors that only replays open, by the realm that they are in, and how many of them need each. */
  readonly doors: WeakMap<object, Map<string, { users: number; readonly restore: Restore }>>
  /** The time zone of the replays under way, and how many they are. */
  zone: string | undefined
  /** The zone of the process, where none of them has put it in another. */
  processZone: string
  zoneUsers: number
  restoreZone: Restore
  /** Replays in another zone. */
  readonly waiting: (() => void)[]
}

function useDoor(name: string, open: () => Restore): Restore {
  const doors = shared.doors.get(globalThis) ?? new Map()
  shared.doors.set(globalThis, doors)
  const door = doors.get(name) ?? { users: 0, restore: open() }
  doors.set(name, door)
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

/** @note The process as Node's module has it: Jest gives its sandboxes a copy of the global one, whose `TZ` changes nothing. */
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

/** The time zone of the process, where no replay has put it in another. */
export function ownZone(): string {
  return shared.zoneUsers > 0 ? shared.processZone : ownSurroundings().timeZone
}
