import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { processWide } from '../../node/process-wide.ts'
import { idLibraries, type IdLibrary } from './id-libraries.ts'
import path from 'node:path'
import { knownOrMade } from '../../trace/remember.ts'

const state = processWide('library-hooks', () => ({ isOn: false }))

/** The expression by which a wrapper, anywhere, finds the code that creates its exports: on the class that `processWide` uses. */
const home = `process.getBuiltinModule('node:async_hooks').AsyncLocalStorage[Symbol.for('goldenrun.id-libraries')]`

/** Distinguishes a library's own module from its wrapper. */
const originalQuery = '?goldenrun=original'

/**
 * Wraps each library of `idLibraries` that is loaded from now on, in the whole process.
 *
 * @returns The reason if it failed, else undefined.
 */
export function hookIdLibraries(): string | undefined {
  if (state.isOn) return undefined
  try {
    module.registerHooks({
      load(url, context, nextLoad) {
        const loaded = nextLoad(url, context)
        const name = libraryOf(url)
        const library = name === undefined ? undefined : idLibraries.get(name)
        if (name === undefined || library === undefined) return loaded
        if (loaded.format === 'module') return { ...loaded, source: wrapModule(url, name, library) }
        const source = commonJsSource(url, loaded)
        return source === undefined ? loaded : { ...loaded, source: wrapCommonJs(source, name) }
      },
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  state.isOn = true
  return undefined
}

/** Matches a file of a package that may be one of the libraries. The URL is used, however the name was resolved. */
const packageFile = new RegExp(`^(file:.*/node_modules/(${[...idLibraries.keys()].join('|')})/)([^?]+)$`)

/** Returns the library whose entry a module is. */
function libraryOf(url: string): string | undefined {
  const [, root, name, file] = packageFile.exec(url) ?? []
  return root !== undefined && file !== undefined && readPackageEntries(fileURLToPath(root)).includes(file) ? name : undefined
}

/** A module's own export takes precedence over the same name of `export *`. */
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

/** Imported modules come without a source; required ones from a package without a `type` come without a format. */
function commonJsSource(url: string, { format, source }: module.LoadFnOutput): string | undefined {
  if (format !== 'commonjs' && format !== undefined && format !== null) return undefined
  const text = typeof source === 'string' ? source : readFileSync(fileURLToPath(url), 'utf8')
  const isModule = format !== 'commonjs' && /^\s*(?:import|export)\b/m.test(text)
  return isModule ? undefined : text
}

function wrapCommonJs(source: string, name: string): string {
  const inRuns = `${home}.get(${JSON.stringify(name)}).inRuns(module.exports)`
  // Not assigned, because TypeScript's output exports getters.
  return `${source}
;{
  const inRuns = Object.getOwnPropertyDescriptors(${inRuns})
  module.exports = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(module.exports), ...inRuns })
}
`
}

const known = new Map<string, readonly string[]>()

/**
 * Returns the entry files of a package, under any condition: `['dist-node/index.js', 'dist/index.js']`.
 *
 * @param root The package's directory.
 */
export function readPackageEntries(root: string): readonly string[] {
  return knownOrMade(known, root, () => findEntries(readFileSync(path.join(root, 'package.json'), 'utf8')))
}

function findEntries(packageJson: string): string[] {
  const { exports, main, module: esModule } = JSON.parse(packageJson) as Readonly<Record<'exports' | 'main' | 'module', unknown>>
  const own = typeof exports === 'object' && exports !== null && '.' in exports ? exports['.'] : exports
  const entries = [own, main, esModule].flatMap(leavesOf).map((entry) => entry.replace(/^\.\//, ''))
  // Node's defaults.
  return entries.length === 0
    ? ['index.js']
    : entries.flatMap((entry) => (path.extname(entry) === '' ? [`${entry}.js`, path.posix.join(entry, 'index.js')] : [entry]))
}

/** Returns the texts in nested conditions. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}
