import { registerHooks } from 'node:module'

/**
 * After this call, `goldenrun` and its entries mean the sources of this tree, so that nothing measures an old build. Has to run before
 * the first module that imports them is loaded.
 */
export function useSource(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const [, entry] = /^goldenrun(?:\/(\w+))?$/.exec(specifier) ?? []
      if (entry === undefined && specifier !== 'goldenrun') return nextResolve(specifier, context)
      return { url: new URL(`../src/${entry ?? 'index'}.ts`, import.meta.url).href, shortCircuit: true }
    },
  })
}
