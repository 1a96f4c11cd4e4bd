import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { importedRequire, ownRequire, ownUrl } from './own-url.ts'
import { realProcess } from './real-process.ts'

type Cache = NodeJS.Require['cache']

/** The modules that were required, by their files: by Node's `require`, and by that of a runner that has one. */
export function requiredModules(): [file: string, module: NodeJS.Module | undefined][] {
  return caches().flatMap((cache) => Object.entries(cache))
}

/** How many modules were required. */
export function countRequired(): number {
  return caches().reduce((count, cache) => count + Object.keys(cache).length, 0)
}

/** Published by Node once a module is loaded, before the code that loads it goes on: by `require`, and by `import()`. */
const channels = ['tracing:module.require:end', 'tracing:module.import:asyncEnd']

/**
 * Calls `onLoaded` whenever Node may have loaded a module. A runner that requires modules itself tells of none: see `isRequiredByRunner`.
 *
 * @returns Ends it.
 */
export function watchLoads(onLoaded: () => void): () => void {
  const listen = (): void => onLoaded()
  for (const channel of channels) subscribe(channel, listen)
  return () => {
    for (const channel of channels) unsubscribe(channel, listen)
  }
}

/** Whether a runner requires modules itself: Vitest in its vm pools, and Jest. */
export function isRequiredByRunner(): boolean {
  const ofNode = realProcess().getBuiltinModule('node:module').createRequire(ownUrl).cache
  return caches().some((cache) => cache !== ofNode)
}

function caches(): Cache[] {
  return [...new Set([ownRequire().cache, importedRequire().cache])]
}
