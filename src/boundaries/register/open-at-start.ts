/** The effect of loading `goldenrun/register`: opens the doors for the life of the process, and reports which ones stay shut. */
import { otherRuntime, sayUnrecorded } from '../../run/other-runtime.ts'
import { say } from '../../run/tell.ts'
import { processWide } from '../../node/process-wide.ts'
import { installDoors, installReplayDoors } from '../doors.ts'
import { hookSqlite } from '../contact/databases/hook-sqlite.ts'
import { hookIdLibraries } from '../identity/library-hooks.ts'
import { builtinModules } from 'node:module'
import { ownRequire } from '../../node/own-url.ts'
import { builtins } from '../../node/builtins.ts'
import { readLocked } from '../locked.ts'
import { isReplacement } from '../patches.ts'

/**
 * Finds what `goldenrun/register` cannot cover. Has to be called before the doors are opened.
 *
 * @returns A function to call once the doors are open, which returns the findings, one line each. Its argument is the reason why the id
 * libraries could not be wrapped, if any.
 */
function findShutDoors(): (failure: string | undefined) => string[] {
  const earlier = earlierModules()
  const isPreloaded = isReplacement(builtins.crypto.randomUUID)
  return (failure) => [
    ...readLocked().map((name) => `${name} cannot be replaced, because the program locked it: its values belong to no run.`),
    ...sayEarlier(earlier),
    ...(isMainRealm || isPreloaded ? [] : [sayNamedImports()]),
    ...sayIds(isMainRealm ? failure : pastHooks),
  ]
}

/** Node's own arrays belong to the main realm; a `node:vm` context has a different `Array`. */
const isMainRealm = Object.getPrototypeOf(builtinModules) === Array.prototype

/** Modules that Vitest loads before any of the user's, and modules that goldenrun has loaded for an earlier test file in a vm pool. */
const ofNoUser = /[\\/]node_modules[\\/](vitest|expect-type|minizlib|minipass)[\\/]/

function earlierModules(): string[] {
  return Object.keys(ownRequire().cache).filter((file) => !ofNoUser.test(file))
}

function sayEarlier([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return []
  const modules = others.length === 0 ? `${first} was` : `${first} and ${others.length} more modules were`
  return [`${modules} loaded before it. Functions captured there belong to no run: put --import goldenrun/register first.`]
}

/** A runner with `node:vm` contexts loads modules for them itself. */
const pastHooks = "Vitest's vm pools load packages without Node's module hooks. The forks and threads pools use them."

function sayIds(why: string | undefined): string[] {
  return why === undefined ? [] : [`ids of uuid, nanoid, ulid and cuid2 may depend on earlier runs: ${why}`]
}

function sayNamedImports(): string {
  return (
    "named imports of Node's modules are not patched in Vitest's vm pools. " +
    "In addition to the setup file, set test.execArgv to ['--import', 'goldenrun/register']."
  )
}

const registered = processWide('registered', () => ({ realms: new WeakSet<object>(), said: new Set<string>() }))

/** A worker of Vitest or of Jest. */
const isTestRunner = process.env['VITEST'] !== undefined || process.env['JEST_WORKER_ID'] !== undefined

const runtime = otherRuntime()

// A test runner loads a setup file again for each test file.
if (runtime !== undefined) sayOnce(sayUnrecorded(runtime))
else if (!registered.realms.has(globalThis)) {
  registered.realms.add(globalThis)
  // Checked before the doors open, to detect whether a preload has opened them.
  const shut = findShutDoors()
  const failure = hookIdLibraries()
  if (isTestRunner) installReplayDoors()
  else installDoors()
  if (failure === undefined) hookSqlite()
  for (const line of shut(failure)) sayOnce(line)
}

function sayOnce(line: string): void {
  if (registered.said.has(line)) return
  registered.said.add(line)
  say(`goldenrun/register: ${line}`)
}
