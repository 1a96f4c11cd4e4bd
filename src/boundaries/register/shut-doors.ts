import { builtinModules } from 'node:module'
import { ownRequire } from '../../node/own-url.ts'
import { builtins } from '../../node/builtins.ts'
import { readLocked } from '../locked.ts'
import { isReplacement } from '../patches.ts'

/**
 * Looks for what `goldenrun/register` cannot reach. To be called before the doors are opened.
 *
 * @returns Tells what was found, a line each, once the doors are open; given why the id libraries could not be reached, if so.
 */
export function findShutDoors(): (failure: string | undefined) => string[] {
  const earlier = earlierModules()
  const isPreloaded = isReplacement(builtins.crypto.randomUUID)
  return (failure) => [
    ...readLocked().map((name) => `${name} is locked by the program, so what it gives belongs to no run.`),
    ...sayEarlier(earlier),
    ...(isMainRealm || isPreloaded ? [] : [sayNamedImports()]),
    ...sayIds(isMainRealm ? failure : pastHooks),
  ]
}

/** Node's own arrays come from the realm that the process started in; a `node:vm` context has another `Array`. */
const isMainRealm = Object.getPrototypeOf(builtinModules) === Array.prototype

/** What Vitest loads for itself before it loads anything of its user's, and what goldenrun has loaded for the test file before, in a vm pool. */
const ofNoUser = /[\\/]node_modules[\\/](vitest|expect-type|minizlib|minipass)[\\/]/

function earlierModules(): string[] {
  return Object.keys(ownRequire().cache).filter((file) => !ofNoUser.test(file))
}

function sayEarlier([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return []
  const modules = others.length === 0 ? `${first} was` : `${first} and ${others.length} more modules were`
  return [`${modules} loaded before it. What was taken hold of there belongs to no run: put --import goldenrun/register first.`]
}

/** A runner that makes contexts of `node:vm` loads what runs in them by itself. */
const pastHooks = "Vitest's vm pools load packages past Node's hooks. In the pools forks and threads they do not."

function sayIds(why: string | undefined): string[] {
  return why === undefined ? [] : [`ids of uuid, nanoid, ulid and cuid2 may depend on earlier runs: ${why}`]
}

function sayNamedImports(): string {
  return (
    "named imports of Node's modules stay as they are in Vitest's vm pools. " +
    "Beside the setup file, set test.execArgv to ['--import', 'goldenrun/register']."
  )
}
