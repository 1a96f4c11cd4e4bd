import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { breakLines } from './break-lines.ts'

/**
 * The packages that are built in, so that a user installs none of them. Packages used in production and in test files are small, pure and used at once:
 * separate files would slow down each test file. The config and the command load theirs on first use. None of the packages has a type that
 * users see.
 */
export const builtIn: readonly string[] = [
  '@cfworker/json-schema',
  '@clack/core',
  '@clack/prompts',
  '@smithy/core',
  'commander',
  'diff',
  'eventsource-parser',
  'fast-json-stable-stringify',
  'fast-string-truncated-width',
  'fast-string-width',
  'fast-wrap-ansi',
  'minipass',
  'minizlib',
  'picocolors',
  'picomatch',
  'sisteransi',
  'zod',
]

/**
 * Builds minizlib in where `src/stores/minizlib.ts` requires it. It stays in a function that is called on first use, and takes Node's modules only
 * then, directly from Node: a bundler that converts it to another format leaves no `require` to load them with.
 */
export const minizlibOnUse: Plugin = {
  name: 'minizlib-on-use',
  transform(code, id) {
    if (/[\\/]node_modules[\\/]mini(?:zlib|pass)[\\/]/.test(id)) return code.replaceAll(/\brequire\("(?:node:)?([a-z_]+)"\)/g, takeFromNode)
    if (!/[\\/]src[\\/]stores[\\/]minizlib\.ts$/.test(id)) return undefined
    const required = code.replace("ownRequire()('minizlib')", "require('minizlib')")
    if (required === code) throw new Error('src/stores/minizlib.ts no longer requires minizlib as scripts/built-in.ts expects.')
    return required
  },
}

function takeFromNode(required: string, name: string): string {
  return isBuiltin(name) ? `process.getBuiltinModule("node:${name}")` : required
}

/** Shortens the names of variables in built-in packages, and removes their unreachable code. Names of functions stay, for stacks. */
export const shortenBuiltIn: Plugin = {
  name: 'shorten-built-in',
  transform(code, id) {
    if (!/[\\/]node_modules[\\/].*\.[cm]?js$/.test(id)) return undefined
    const mangle = { toplevel: false, keepNames: true }
    return minifySync(id, code, { compress: { keepNames: { function: true, class: true } }, mangle, codegen: { removeWhitespace: false } })
      .code
  },
}

/**
 * Removes whitespace from the command line, the replay code, and chunks that are mostly other packages, which makes an install a tenth smaller.
 * Names and the lines of statements stay, for stacks.
 */
export const packCommands: Plugin = {
  name: 'pack-commands',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !(packed.has(chunk.name) || isMostlyBuiltIn(chunk.modules))) continue
      const codegen = { removeWhitespace: true, legalComments: 'none' } as const
      // The inspector stops the agent with a `debugger` statement of its own.
      const compress = { dropDebugger: false, keepNames: { function: true, class: true } } as const
      const mangle = { toplevel: true, keepNames: true }
      chunk.code = breakLines(chunk.fileName, minifySync(chunk.fileName, chunk.code, { compress, mangle, codegen }).code)
    }
  },
}

/**
 * Removes chunks that only re-export another chunk: each takes a whole block of the file system. A dynamic import of such a chunk becomes an import of the
 * other chunk, with the exports under their original names.
 */
export const joinFacades: Plugin = {
  name: 'join-facades',
  generateBundle(_options, bundle) {
    const facades = new Map<string, Facade>()
    for (const chunk of Object.values(bundle)) {
      const facade = chunk.type === 'chunk' && !chunk.isEntry ? readFacade(chunk.code) : undefined
      if (facade !== undefined) facades.set(chunk.fileName.replace(/^.*\//, ''), facade)
    }
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      chunk.code = chunk.code.replaceAll(
        /\bimport\((["`'])([./\w-]*\/)([\w-]+\.js)\1\)/g,
        (written, _quote, folder: string, name: string) => {
          const facade = facades.get(name)
          return facade === undefined ? written : `import("${folder}${facade.target}").then((chunk) => ({ ${facade.names} }))`
        },
      )
    }
    for (const file of Object.keys(bundle)) if (facades.has(file.replace(/^.*\//, ''))) Reflect.deleteProperty(bundle, file)
  },
}

interface Facade {
  /** The neighbouring file whose exports it re-exports. */
  readonly target: string
  /** The properties of its namespace, read from the target's namespace, `chunk`. */
  readonly names: string
}

function readFacade(code: string): Facade | undefined {
  const [, imports, target, exports] = /^import \{ ([^}]+) \} from "\.\/([\w-]+\.js)";\s*export \{ ([^}]+) \};\s*$/.exec(code) ?? []
  if (imports === undefined || target === undefined || exports === undefined) return undefined
  const exported = new Map(imports.split(', ').map((each) => [each.replace(/^\w+ as /, ''), each.replace(/ as \w+$/, '')]))
  return {
    target,
    names: exports
      .split(', ')
      .map((name) => `${name}: chunk.${exported.get(name) ?? name}`)
      .join(', '),
  }
}

/** Large chunks that people read only in a stack. */
const packed: ReadonlySet<string> = new Set([
  'cli',
  'doors',
  'recording',
  'runs',
  'telling',
  'matching',
  'replaying',
  'travelling',
  'inspecting',
  'looking-up',
  'promoting',
  'create-s3-store',
  'stores/redis',
  'testing',
])

function isMostlyBuiltIn(modules: Readonly<Record<string, { readonly renderedLength: number }>>): boolean {
  const all = Object.entries(modules)
  const sizeOf = (some: typeof all): number => some.reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0)
  return sizeOf(all.filter(([id]) => /[\\/]node_modules[\\/]/.test(id))) > 0.8 * sizeOf(all)
}
