import module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { processWide } from '../../node/process-wide.ts'
import { runOutside } from '../../run/scope.ts'
import { orElse } from '../../trace/or-else.ts'
import { filesHere } from './file-call.ts'
import type { Layers } from './layers.ts'

const state = processWide('written-modules', () => ({ isOn: false }))

/** Lets `import` and `require` find the modules that a replayed run has written. Versions of Node without such hooks do not find them. */
export function hookWrittenModules(): void {
  if (state.isOn) return
  state.isOn = true
  const hooks = module as { readonly registerHooks?: typeof module.registerHooks }
  hooks.registerHooks?.({
    resolve(specifier, context, nextResolve) {
      const files = filesHere()?.files
      const layers = files?.own?.layers
      if (files === undefined || layers === undefined || layers.overlay.isEmpty) return nextResolve(specifier, context)
      const parentURL = toAgentUrl(context.parentURL, layers)
      const url = urlOf(specifier, parentURL)
      const path = url && files.find(url)?.path
      const isRequired = context.conditions.includes('require')
      const place = path === undefined ? undefined : runOutside(() => placeOfModule(path, layers, isRequired))
      if (url === undefined || place === undefined) return nextResolve(specifier, { ...context, parentURL })
      return nextResolve(isRequired ? place : `${pathToFileURL(place).href}${url.search}${url.hash}`, context)
    },
  })
}

/** The URL of a module of the tree, as the agent knows it. */
function toAgentUrl(url: string | undefined, { overlay }: Layers): string | undefined {
  return url?.startsWith('file:') === true ? pathToFileURL(overlay.toAgent(fileURLToPath(url))).href : url
}

/** Returns the URL that a path or a URL names; undefined for the name of a package. */
function urlOf(specifier: string, parentURL: string | undefined): URL | undefined {
  if (!/^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(specifier)) return undefined
  return orElse(() => new URL(specifier, parentURL), undefined)
}

/** Returns where a module is, if the run has written it. */
function placeOfModule(path: string, layers: Layers, isRequired: boolean): string | undefined {
  const tried = isRequired ? ['', '.js', '.json', '/index.js'] : ['']
  const found = tried.map((end) => `${path}${end}`).find((each) => layers.entry(each)?.isFile() === true)
  const place = found === undefined ? undefined : layers.place(found)
  return place === found ? undefined : place
}
