import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { processWide } from '../../run/process-wide.ts'
import { idLibraries, type IdLibrary } from './id-libraries.ts'

const state = processWide('library-hooks', () => ({ isOn: false }))

/** How a wrapper finds, from anywhere, what makes the functions that it exports: on the class that `processWide` keeps everything on. */
const home = `process.getBuiltinModule('node:async_hooks').AsyncLocalStorage[Symbol.for('goldenrun.id-libraries')]`

/** What tells a library's own module from the wrapper that stands for it. */
const originalQuery = '?goldenrun=original'

/**
 * Puts a wrapper before each library of `idLibraries` that is loaded from now on, in the whole process.
 *
 * @returns Why it could not, if so.
 */
export function hookIdLibraries(): string | undefined {
  if (state.isOn) return undefined
  // By the address of a library's entry.
  const entries = new Map<string, readonly [name: string, library: IdLibrary]>()
  try {
    module.registerHooks({
      resolve(specifier, context, nextResolve) {
        const resolved = nextResolve(specifier, context)
        const library = idLibraries.get(specifier)
        if (library !== undefined && resolved.url.startsWith('file:')) entries.set(resolved.url, [specifier, library])
        return resolved
      },
      load(url, context, nextLoad) {
        const entry = entries.get(url)
        const loaded = nextLoad(url, context)
        if (entry === undefined) return loaded
        const [name, library] = entry
        if (loaded.format === 'module') return { ...loaded, source: wrapModule(url, name, library) }
        if (loaded.format === 'commonjs') return { ...loaded, source: wrapCommonJs(url, name) }
        return loaded
      },
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  state.isOn = true
  return undefined
}

/** A name that stands in the module itself goes before the same name of `export *`. */
function wrapModule(url: string, name: string, { names }: IdLibrary): string {
  const original = JSON.stringify(url + originalQuery)
  return [
    `import * as original from ${original}`,
    `export * from ${original}`,
    `const inRuns = { ...original, ...${home}.get(${JSON.stringify(name)}).inRuns(original) }`,
    `export const { ${names.join(', ')} } = inRuns`,
    '',
  ].join('\n')
}

function wrapCommonJs(url: string, name: string): string {
  const inRuns = `${home}.get(${JSON.stringify(name)}).inRuns(module.exports)`
  // Not assigned to: what TypeScript compiles exports getters.
  return `${readFileSync(fileURLToPath(url), 'utf8')}
;{
  const inRuns = Object.getOwnPropertyDescriptors(${inRuns})
  module.exports = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(module.exports), ...inRuns })
}
`
}
