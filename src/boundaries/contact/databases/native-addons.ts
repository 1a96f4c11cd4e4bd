import type { RecordedRun } from '../../../run/active-run.ts'
import { ownRequire } from '../../../node/own-url.ts'
import { replaceProperty, type Restore } from '../../patches.ts'

/** Native code that a program has loaded. */
export interface NativeAddon {
  /** The package that its file is of, or the file's name where it is of none. */
  readonly name: string
  readonly exported: unknown
}

/** What builds and tests a program, and is no part of what an agent does. */
const TOOLS =
  /^(?:@(?:esbuild|next|oxc-[^/]+|oxlint|parcel|rolldown|rollup|swc|tailwindcss|unrs)\/|(?:fsevents|lightningcss|unrs-resolver)(?:-|$))/

const addons = new Map<string, NativeAddon>()

/** Says in a run's trace which native code could act in it: what that does by itself is met by no door. `isMet` tells those that are. */
export function noteAddons(run: RecordedRun, isMet: (addon: NativeAddon) => boolean): void {
  if (addons.size === 0) return
  const names = [...addons.values()].filter((addon) => !TOOLS.test(addon.name) && !isMet(addon)).map(({ name }) => name)
  for (const name of new Set(names)) run.note('native-addon', name)
}

/** Finds addons: those that are loaded already, and from now on each that is loaded. Node loads them with `process.dlopen`. */
export function watchAddons(onFound: (addon: NativeAddon) => void): Restore {
  const found = (file: string, exported: unknown): void => {
    if (!file.endsWith('.node')) return
    const addon = { name: packageOf(file), exported }
    addons.set(file, addon)
    onFound(addon)
  }
  for (const [file, module] of Object.entries(ownRequire().cache)) found(file, module?.exports)
  // In Jest's sandboxes `process` is a copy.
  return replaceProperty(process.getBuiltinModule('node:process'), 'dlopen', (original) => {
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
