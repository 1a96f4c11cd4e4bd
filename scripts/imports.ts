import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { parseAst } from 'rolldown/parseAst'

/** One `import` or `export … from` statement. */
export interface Import {
  /** The file, relative to the repository, or the name of a package or a built-in module. */
  readonly target: string
  readonly isFile: boolean
  /** Erased from the output: `import type`. False for `import { type A }`, which stays. */
  readonly isType: boolean
  /** Re-exports and declares nothing: `export … from`, or an import for its effect. */
  readonly isReExport: boolean
  readonly line: number
}

/** A file's statements: those that name another module, and the lines of the others. */
export interface ModuleStatements {
  readonly imports: readonly Import[]
  /** The lines of all other statements. */
  readonly others: readonly number[]
}

/** Reads the imports of a TypeScript or JavaScript file, except dynamic imports. */
export function readImports(file: string): ModuleStatements {
  if (file.endsWith('.json')) return { imports: [], others: [] }
  const text = readFileSync(file, 'utf8')
  const imports: Import[] = []
  const others: number[] = []
  for (const statement of parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'js' }, file).body) {
    const line = text.slice(0, statement.start).split('\n').length
    const source = sourceOf(statement)
    if (source === undefined) others.push(line)
    else imports.push({ ...resolve(source.specifier, file), isType: source.isType, isReExport: source.isReExport, line })
  }
  return { imports, others }
}

/** Returns the shortest chain of files (`src/a.ts:3`) through which loading `entry` loads a target; undefined if there is none. */
export function findImportChain(entry: string, isTarget: (target: string) => boolean): string[] | undefined {
  const queue = [{ file: entry, before: [] as string[] }]
  const seen = new Set([entry])
  for (const { file, before } of queue) {
    for (const { target, isFile, isType, line } of readImports(file).imports) {
      if (isType || seen.has(target)) continue
      seen.add(target)
      const chain = [...before, `${file}:${line}`]
      if (isTarget(target)) return [...chain, target]
      if (isFile) queue.push({ file: target, before: chain })
    }
  }
  return undefined
}

/** Returns the files that loading a file loads, including itself. */
export function filesLoadedWith(entry: string): ReadonlySet<string> {
  const files = new Set([entry])
  for (const file of files) {
    for (const { target, isFile, isType } of readImports(file).imports) if (isFile && !isType) files.add(target)
  }
  return files
}

type Statement = ReturnType<typeof parseAst>['body'][number]

function sourceOf(statement: Statement): { specifier: string; isType: boolean; isReExport: boolean } | undefined {
  switch (statement.type) {
    case 'ImportDeclaration': {
      const { source, importKind, specifiers } = statement
      return { specifier: source.value, isType: importKind === 'type', isReExport: specifiers.length === 0 }
    }
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration': {
      const { source, exportKind } = statement
      return source === null ? undefined : { specifier: source.value, isType: exportKind === 'type', isReExport: true }
    }
    default:
      return undefined
  }
}

function resolve(specifier: string, from: string): Pick<Import, 'target' | 'isFile'> {
  if (specifier.startsWith('.')) return { target: join(dirname(from), specifier), isFile: true }
  if (specifier.startsWith('node:')) return { target: specifier, isFile: false }
  return { target: specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'), isFile: false }
}
