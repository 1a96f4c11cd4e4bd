import type { RecordedRun } from '../../../run/active-run.ts'
import { ownRequire } from '../../../node/own-url.ts'
import { combine, type Restore } from '../../patches.ts'
import { openDriver } from './driver-classes.ts'
import { watchModules } from './loaded-modules.ts'
import { noteAddons, watchAddons } from './native-addons.ts'

// Opened drivers, by their exports; undefined while the doors are shut. Native code that is not a database has no doors.
let opened: Map<unknown, Restore | undefined> | undefined
let isNew = false

/**
 * Databases in this process: Node's own SQLite, and drivers that are native code (better-sqlite3, sqlite3, libsql, …). Their statements do
 * not go through a socket.
 */
export function databaseDoor(): Restore {
  const drivers = (opened = new Map<unknown, Restore | undefined>())
  isNew = true
  const unwatch = watchAddons(({ name, exported }) => {
    isNew = true
    open(exported, name)
  })
  renewDatabaseDoors()
  const unwatchModules = watchModules(renewDatabaseDoors)
  return () => {
    opened = undefined
    combine(unwatch, unwatchModules, ...[...drivers.values()].filter((restore) => restore !== undefined))()
  }
}

/** Opens doors for drivers that were loaded since. */
export function renewDatabaseDoors(): void {
  if (opened === undefined) return
  if (!opened.has('node:sqlite') && isSqliteLoaded()) {
    // First, because asking for the module comes back here.
    opened.set('node:sqlite', undefined)
    opened.set('node:sqlite', openDriver(process.getBuiltinModule('node:sqlite'), 'node:sqlite'))
  }
  if (!isNew) return
  isNew = false
  // Their native code only exports functions, which the driver captures immediately. The methods are in JavaScript.
  for (const [file, module] of Object.entries(ownRequire().cache)) {
    const [, name] = /[\\/]node_modules[\\/](libsql)[\\/][^\\/]+$/.exec(file) ?? []
    if (name === undefined || module === undefined) continue
    // What it exports is complete once it is loaded, and its native code is loaded before that.
    if (module.loaded) open(module.exports, name)
    else isNew = true
  }
}

/** Notes in a run's trace which native code may act unobserved. */
export function noteNativeCode(run: RecordedRun): void {
  noteAddons(run, ({ exported }) => opened?.get(exported) !== undefined)
}

function open(exported: unknown, driver: string): void {
  if (opened !== undefined && !opened.has(exported)) opened.set(exported, openDriver(exported, driver))
}

/** Loading it prints a warning that it is experimental, so it is not loaded for programs that do not use it. */
function isSqliteLoaded(): boolean {
  const { moduleLoadList } = process.getBuiltinModule('node:process') as typeof process & { readonly moduleLoadList?: readonly string[] }
  return moduleLoadList?.includes('NativeModule sqlite') === true
}
