import { isRequiredByRunner, requiredModulesIn, watchLoads } from '../../../node/required-modules.ts'
import { watchAddons } from '../../native/addons.ts'
import { combine, replaceProperty, type Restore } from '../../patches.ts'
import { openSqlite, openSqliteCode } from '../../drivers/sqlite/sqlite-driver.ts'
import { endLeftTransactions } from '../../drivers/sqlite/mirror-transaction.ts'
import { openDriver } from './driver-classes.ts'
import { realProcess } from '../../../node/real-process.ts'

// Opened drivers, by their exports; undefined while the doors are closed. Native code that is not a database has no doors.
let opened: Map<unknown, Restore | undefined> | undefined
let isNew = false

/**
 * Databases in this process: Node's own SQLite, and drivers that are native code (better-sqlite3, sqlite3, libsql, …). Their statements do
 * not go through a socket.
 */
export function databaseDoor(): Restore {
  const drivers = (opened = new Map<unknown, Restore | undefined>())
  const codes: Restore[] = []
  isNew = true
  const unwatch = watchAddons(({ name, exported }) => {
    isNew = true
    open(exported, name)
    const restore = openSqliteCode(exported)
    if (restore !== undefined) codes.push(restore)
    return drivers.get(exported) !== undefined
  })
  openLoaded()
  const unwatchModules = watchModules(openLoaded)
  return () => {
    opened = undefined
    combine(unwatch, unwatchModules, ...codes, ...[...drivers.values()].filter((restore) => restore !== undefined))()
  }
}

/** Opens doors for drivers that were loaded since. */
export function renewDatabaseDoors(): void {
  // A runner loads native code once, but requires the JavaScript around it again for each test file.
  if (isRequiredByRunner()) isNew = true
  openLoaded()
  endLeftTransactions()
}

const filesOfLibsql = /[\\/]node_modules[\\/]libsql[\\/]([^\\/]+)\.[cm]?js$/

function openLoaded(): void {
  if (opened === undefined) return
  if (!opened.has('node:sqlite') && isSqliteLoaded()) {
    // Set first, because asking for the module calls this function again.
    opened.set('node:sqlite', undefined)
    opened.set('node:sqlite', openSqlite(process.getBuiltinModule('node:sqlite'), 'node:sqlite'))
  }
  if (!isNew) return
  isNew = false
  // Its native code only exports functions, which the driver captures immediately. The methods are in JavaScript.
  for (const [file, module] of requiredModulesIn(filesOfLibsql)) {
    if (module === undefined) continue
    const name = filesOfLibsql.exec(file)?.[1] === 'promise' ? 'libsql/promise' : 'libsql'
    // The exports are complete once the module is loaded, and its native code is loaded before that.
    if (module.loaded) openWithStatements(module.exports, name)
    else isNew = true
  }
}

function open(exported: unknown, driver: string): void {
  if (opened === undefined || opened.has(exported)) return
  opened.set(exported, openSqlite(exported, driver) ?? openDriver(exported, driver))
}

/** Opens a driver whose class of statements is not exported. Statements prepared earlier need their door too. */
function openWithStatements(exported: unknown, driver: string): void {
  if (opened?.has(exported) !== false) return
  open(exported, driver)
  if (opened.get(exported) === undefined) return
  const database = new (exported as new (file: string) => { prepare(sql: string): unknown; close(): unknown })(':memory:')
  // `prepare` of `libsql/promise` returns a promise.
  const close = (): unknown => database.close()
  void Promise.resolve(database.prepare('SELECT 1')).then(close, close)
}

/** Loading it prints an experimental warning, so it is not loaded for programs that do not use it. */
function isSqliteLoaded(): boolean {
  const { moduleLoadList } = realProcess() as typeof process & { readonly moduleLoadList?: readonly string[] }
  return moduleLoadList?.includes('NativeModule sqlite') === true
}

/**
 * Calls `onLoaded` whenever code may have loaded a module: by `require`, `import()` or `process.getBuiltinModule`.
 *
 * @note In Jest's sandboxes `process.getBuiltinModule` is a `require`, so modules that `onLoaded` itself loads would call it again.
 */
function watchModules(onLoaded: () => void): Restore {
  let isCalled = false
  const listen = (): void => {
    if (isCalled) return
    isCalled = true
    try {
      onLoaded()
    } finally {
      isCalled = false
    }
  }
  // In Jest's sandboxes `process` is a copy.
  const processes = new Set([realProcess(), process])
  return combine(watchLoads(listen), ...[...processes].map((each) => watchBuiltins(each, listen)))
}

function watchBuiltins(target: NodeJS.Process, onLoaded: () => void): Restore {
  return replaceProperty(
    target,
    'getBuiltinModule',
    (original) =>
      function getBuiltinModule(id: string): object | undefined {
        const found = original.call(target, id)
        if (id === 'node:sqlite') onLoaded()
        return found
      },
  )
}
