import { requiredModulesIn } from '../../node/required-modules.ts'
import { processWide } from '../../node/process-wide.ts'
import { realProcess } from '../../node/real-process.ts'
import { replaceProperty, type Restore } from '../patches.ts'
import { type Reach, reachOf } from './reach.ts'

/** Native code that a program has loaded. */
export interface NativeAddon {
  /** The package of its file without its platform, or the file's name if it is in none. */
  readonly name: string
  readonly file: string
  readonly exported: unknown
}

/** An addon that can reach the world past all doors. */
export interface Suspect extends Reach {
  readonly name: string
  /** Its file, from the last `node_modules` on. */
  readonly place: string
}

const filesOfAddons = /\.node$/

// One copy of the package opens the doors, and another one may record.
const { addons, covered, reaches, listeners } = processWide('addons', () => ({
  addons: new Map<string, NativeAddon>(),
  /** The exports of addons whose every way out has a door. */
  covered: new WeakSet<object>(),
  reaches: new Map<string, Reach>(),
  listeners: new Set<() => void>(),
}))

/**
 * Finds addons: those already loaded, and each one that is loaded later. Node loads them with `process.dlopen`.
 *
 * @param onFound Opens doors for an addon. Returns whether no way out of it is left without a door.
 */
export function watchAddons(onFound: (addon: NativeAddon) => boolean): Restore {
  const found = (file: string, exported: unknown): void => {
    if (!filesOfAddons.test(file)) return
    const addon = { name: packageOf(file), file, exported }
    addons.set(file, addon)
    if (onFound(addon) && typeof exported === 'object' && exported !== null) covered.add(exported)
    for (const listen of listeners) listen()
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

/** Calls a function whenever an addon was loaded. */
export function onAddon(listen: () => void): Restore {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** Returns the addons that can open connections or start programs, one for each package. Reads each file once in a process. */
export function suspects(): Suspect[] {
  if (addons.size === 0) return []
  const found = new Map<string, Suspect>()
  for (const { name, file, exported } of addons.values()) {
    if (typeof exported === 'object' && exported !== null && covered.has(exported)) continue
    const reach = reaches.get(file) ?? reachOf(file, name)
    reaches.set(file, reach)
    const { network, programs } = reach
    if (network || programs) found.set(name, { name, place: placeOf(file), network, programs })
  }
  return [...found.values()]
}

/** `@boundaryml/baml-linux-x64-gnu` is the package `@boundaryml/baml`. */
function packageOf(file: string): string {
  const path = file.replaceAll('\\', '/')
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? path.slice(path.lastIndexOf('/') + 1)
  return name.replace(/-(?:android|darwin|freebsd|linux(?:musl)?|openharmony|sunos|win32)-.*$/, '')
}

function placeOf(file: string): string {
  const path = file.replaceAll('\\', '/')
  const start = path.lastIndexOf('/node_modules/')
  return start === -1 ? path.slice(path.lastIndexOf('/') + 1) : path.slice(start + 1)
}
