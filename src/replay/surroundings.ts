import { environmentDoor } from '../boundaries/environment/environment-door.ts'
import type { Restore } from '../boundaries/patches.ts'
import { processWide } from '../run/process-wide.ts'
import type { Runtime } from '../trace/run-row.ts'

const shared = processWide<Shared>('surroundings', () => ({ users: 0, restore: undefined, hasZone: false }))

/**
 * Gives a replay the surroundings of its recording: its environment variables, and its time zone. The zone is the whole process's, so it is set
 * only where it differs, and of several replays at once in different zones the first one's holds.
 */
export function useSurroundings({ timeZone }: Runtime): Restore {
  shared.restore ??= environmentDoor()
  shared.users += 1
  const previous = process.env['TZ']
  const changesZone = !shared.hasZone && timeZone !== currentZone()
  if (changesZone) {
    process.env['TZ'] = timeZone
    shared.hasZone = true
  }
  return () => {
    if (changesZone) {
      shared.hasZone = false
      if (previous === undefined) delete process.env['TZ']
      else process.env['TZ'] = previous
    }
    shared.users -= 1
    if (shared.users > 0) return
    shared.restore?.()
    shared.restore = undefined
  }
}

interface Shared {
  users: number
  restore: Restore | undefined
  /** A replay has set the process's time zone. */
  hasZone: boolean
}

// Asking costs more than many a replay; it changes with the variable only.
let known: { readonly variable: string | undefined; readonly zone: string } | undefined

function currentZone(): string {
  const variable = process.env['TZ']
  if (known === undefined || known.variable !== variable) known = { variable, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone }
  return known.zone
}
