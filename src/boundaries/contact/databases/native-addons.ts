import type { RecordedRun } from '../../../run/active-run.ts'
import { ownRequire } from '../../../node/own-url.ts'
import { replaceProperty, type Restore } from '../../patches.ts'

/** Native code that a program has loaded. */
export interface NativeAddon {
  /** The package of its file, or the file's name if it is in none. */
  readonly name: string
  readonly exported: unknown
}

/** Build and test tools, which are not part of an agent. */
const TOOLS =
  /^(?:@(?:esbuild|next|oxc-[^/]+|oxlint|parcel|rolldown|rollup|swc|tailwindcss|unrs)\/|(?:fsevents|lightningcss|unrs-resolver)(?:-|$))/

const addons = new Map<string, NativeAddon>()

/** Notes in a run's trace which native code may act in it, because no door covers it. `isMet` excludes addons that are covered. */
export function noteAddons(run: RecordedRun, isMet: (addon: NativeAddon) => boolean): void {
  if (addons.size === 0) return
  const names = [...addons.values()].filter((addon) => !TOOLS.test(addon.name) && !isMet(addon)).map(({ name }) => name)
  for (const name of new Set(names)) run.note('native-addon', name)
}

/** Finds addons: those already loaded, and each one loaded from now on. Node loads them with `process.dlopen`. */
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
