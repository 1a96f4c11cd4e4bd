import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import { API, type Checker, SymbolFlags, type Symbol as TypeScriptSymbol } from 'typescript/unstable/sync'
import { readLibraryEntries } from './entries.ts'

/** A symbol that the package exports. */
export interface PublicSymbol {
  readonly name: string
  /** Where it is declared, from the repository's root: `src/replay/replay.ts:42`. Undefined if it cannot be resolved. */
  readonly place: string | undefined
  /** Whether it is re-exported from another package. */
  readonly isForeign: boolean
  /** Its declarations: one, or more for an overloaded function. */
  readonly declarations: readonly Node[]
  /** Its docstring, without tags. */
  readonly text: string
  readonly tags: readonly { readonly name: string; readonly text: string }[]
  /** Returns the docstring of one of its members. */
  textOf(member: Node): string
}

/** An entry of the package. */
export interface PublicEntry {
  /** The specifier that imports it: `goldenrun/replay`. */
  readonly specifier: string
  /** Its file: `src/replay.ts`. */
  readonly file: string
  /** Sorted by name; undefined if the file does not exist or is not a module. */
  readonly symbols: readonly PublicSymbol[] | undefined
}

/** Reads the exports of the package's entries from the sources. */
export function readPublicEntries<Result>(read: (entries: readonly PublicEntry[]) => Result): Result {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> }
  const specifiers = Object.entries(exports).filter(([, target]) => typeof target !== 'string')
  const api = new API()
  const snapshot = api.updateSnapshot({ openProject: 'tsconfig.entries.json' })
  try {
    const project = snapshot.getProjects()[0]
    if (project === undefined) throw new Error('tsconfig.entries.json could not be opened')
    const { program, checker } = project
    const files = Object.values(readLibraryEntries())
    return read(
      files.map((file, index) => {
        const source = program.getSourceFile(file)
        const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
        const specifier = (specifiers[index]?.[0] ?? '').replace(/^\./, 'goldenrun')
        const exported = module === undefined ? undefined : checker.getExportsOfModule(module)
        const symbols = exported?.map((symbol) => describe(symbol, checker)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
        return { specifier, file, symbols }
      }),
    )
  } finally {
    snapshot.dispose()
    api.close()
  }
}

function describe(exported: TypeScriptSymbol, checker: Checker): PublicSymbol {
  const symbol = (exported.flags & SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported)
  const declarations = symbol.declarations.flatMap((handle) => handle.resolve() ?? [])
  const place = declarations[0] === undefined ? undefined : placeOf(declarations[0])
  return {
    name: exported.name,
    place,
    isForeign: place?.includes('node_modules') === true,
    declarations,
    text: symbol.getDocumentationComment(checker),
    tags: symbol.getJsDocTags(checker).map(({ name, text = '' }) => ({ name, text })),
    textOf: (member) => {
      // A member's symbol is at its name.
      const { name } = member as Node & { readonly name?: Node }
      return (name === undefined ? undefined : checker.getSymbolAtLocation(name))?.getDocumentationComment(checker) ?? ''
    },
  }
}

function placeOf(node: Node): string {
  const file = node.getSourceFile()
  const line = file.text.slice(0, node.getStart()).split('\n').length
  return `${relative('.', file.fileName)}:${line}`
}
