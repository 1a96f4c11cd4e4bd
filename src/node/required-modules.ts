import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { importedRequire, ownRequire, ownUrl } from './own-url.ts'
import { realProcess } from './real-process.ts'
import { knownOrMade } from '../trace/remember.ts'

type Cache = NodeJS.Require['cache']

export type RequiredModule = readonly [file: string, module: NodeJS.Module | undefined]

interface RequiredModules {
  readonly all: readonly RequiredModule[]
  /** Whether every module was loaded completely, so that its exports are complete. */
  readonly isLoaded: boolean
  readonly inFiles: Map<RegExp, readonly RequiredModule[]>
}

let known: RequiredModules = { all: [], isLoaded: false, inFiles: new Map() }

/**
 * Returns the required modules by file: by Node's `require`, and by the runner's if it has one. Returns the previous list if all of its
 * modules were loaded then and none was required since.
 */
export function requiredModules(): readonly RequiredModule[] {
  return required().all
}

/** The required modules whose files match. */
export function requiredModulesIn(files: RegExp): readonly RequiredModule[] {
  const { all, inFiles } = required()
  return knownOrMade(inFiles, files, () => all.filter(([file]) => files.test(file)))
}

/** Returns all required modules, in the order in which they were required. A process has thousands of them. */
function required(): RequiredModules {
  const all = caches()
  const keys = all.map((cache) => Object.keys(cache))
  const count = keys.reduce((sum, { length }) => sum + length, 0)
  const last = keys.at(-1)?.at(-1)
  const [lastFile, lastModule] = known.all.at(-1) ?? []
  const isSame = count === known.all.length && last === lastFile && (last === undefined || all.at(-1)?.[last] === lastModule)
  if (known.isLoaded && isSame) return known
  const entries = all.flatMap((cache) => Object.entries(cache))
  // A runner may not return a module that it is still loading.
  const isLoaded = entries.every(([, module]) => module?.loaded === true)
  known = { all: entries, isLoaded, inFiles: new Map() }
  return known
}

/** Published by Node once a module is loaded, before the loading code continues: by `require` and by `import()`. */
const channels = ['tracing:module.require:end', 'tracing:module.import:asyncEnd']

/**
 * Calls `onLoaded` whenever Node may have loaded a module. A runner that requires modules itself reports none: see `isRequiredByRunner`.
 *
 * @returns A function that stops watching.
 */
export function watchLoads(onLoaded: () => void): () => void {
  const listen = (): void => onLoaded()
  for (const channel of channels) subscribe(channel, listen)
  return () => {
    for (const channel of channels) unsubscribe(channel, listen)
  }
}

/** Returns whether a runner requires modules itself: Vitest in its vm pools, and Jest. */
export function isRequiredByRunner(): boolean {
  ofNode ??= realProcess().getBuiltinModule('node:module').createRequire(ownUrl).cache
  return caches().some((cache) => cache !== ofNode)
}

let ofNode: Cache | undefined

function caches(): Cache[] {
  return [...new Set([ownRequire().cache, importedRequire().cache])]
}
