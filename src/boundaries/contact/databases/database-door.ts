import type { RecordedRun } from '../../../run/active-run.ts'
import { isRequiredByRunner, requiredModulesIn, watchLoads } from '../../../node/required-modules.ts'
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
const filesOfAddons = /\.node$/

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

/** Notes in a run's trace the native code that no door covers and that may act unobserved. */
export function noteNativeCode(run: RecordedRun): void {
  const unmet = [...addons.values()].filter(({ name, exported }) => !TOOLS.test(name) && opened?.get(exported) === undefined)
  for (const name of new Set(unmet.map((addon) => addon.name))) run.note('native-addon', name)
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

/** Native code that a program has loaded. */
interface NativeAddon {
  /** The package of its file, or the file's name if it is in none. */
  readonly name: string
  readonly exported: unknown
}

/** Build and test tools, which are not part of an agent. */
const TOOLS =
  /^(?:@(?:esbuild|next|oxc-[^/]+|oxlint|parcel|rolldown|rollup|swc|tailwindcss|unrs)\/|(?:fsevents|lightningcss|unrs-resolver)(?:-|$))/

const addons = new Map<string, NativeAddon>()

/** Finds addons: those already loaded, and each one that is loaded later. Node loads them with `process.dlopen`. */
function watchAddons(onFound: (addon: NativeAddon) => void): Restore {
  const found = (file: string, exported: unknown): void => {
    if (!filesOfAddons.test(file)) return
    const addon = { name: packageOf(file), exported }
    addons.set(file, addon)
    onFound(addon)
  }
  for (const [file, module] of requiredModulesIn(filesOfAddons)) found(file, module?.exports)
  // In Jest's sandboxes `process` is a copy.
  return replaceProperty(realProcess(), 'dlopen', (original) => {
    return function dlopen(module: object, file: string, flags?: number) {
      original.call(process, module, file, ...(flags === undefined ? [] : [flags]))
      found(file, Reflect.get(module, 'exports'))
    }
  })
}

function packageOf(file: string): string {
  const path = file.replaceAll('\\', '/')
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? path.slice(path.lastIndexOf('/') + 1)
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
