import { readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { readSandboxEntries } from './entries.ts'

/** An edit of a built file: its first and last position, and the text that replaces it when Jest loads the file. */
type Edit = readonly [start: number, end: number, text: string]

type Program = ReturnType<typeof parseAst>
type Statement = Program['body'][number]

/**
 * Jest's sandboxes evaluate scripts, not modules. They load the same built files as everybody else, and `dist/jest/sandbox/edits.json.br` lists how to turn
 * each of them into a script: the replacements of its imports, its exports and `import.meta.url`.
 */
export async function buildSandbox(directory: string, entries: readonly string[]): Promise<void> {
  const edits = readScripts(directory, entries)
  const sandbox = join(directory, 'jest/sandbox')
  await build({
    input: 'src/jest/without-environment.ts',
    platform: 'node',
    output: { file: join(sandbox, 'without-environment.cjs'), format: 'cjs' },
  })
  writeFileSync(join(sandbox, 'edits.json.br'), brotliCompressSync(JSON.stringify(edits)))
  for (const name of readSandboxEntries()) {
    writeFileSync(join(sandbox, `${name}.cjs`), entryCode(name))
    writeFileSync(join(sandbox, `${name}.d.cts`), entryTypes(name, exportsOf(readFileSync(join(directory, `${name}.js`), 'utf8'))))
  }
}

/**
 * Returns the edits that turn built files, and everything that they import, into scripts.
 *
 * @throws Error for code that a script cannot express.
 */
export function readScripts(directory: string, entries: readonly string[]): Readonly<Record<string, readonly Edit[]>> {
  const edits: Record<string, readonly Edit[]> = {}
  const queue = entries.map((entry) => `${entry}.js`)
  for (const file of queue) {
    if (file in edits) continue
    const { edits: own, files } = readEdits(readFileSync(join(directory, file), 'utf8'), file)
    edits[file] = own
    queue.push(...files)
  }
  checkCycles(edits, directory)
  return edits
}

/** In a Jest sandbox, an entry is what goldenrun's environment has loaded there. Without the environment, it is loaded again. */
function entryCode(name: string): string {
  return [
    "'use strict'",
    "const requireInSandbox = globalThis[Symbol.for('goldenrun.jest')] ?? require('./without-environment.cjs').requireWithoutEnvironment",
    `module.exports = requireInSandbox('${name}', require)`,
    '',
  ].join('\n')
}

function entryTypes(entry: string, names: readonly string[]): string {
  const from = `'../../${entry}.js'`
  const lines = names.map(
    (name) => `export declare const ${name}: typeof import(${from}, { with: { 'resolution-mode': 'import' } }).${name}`,
  )
  return [`export type * from ${from} with { 'resolution-mode': 'import' }`, ...lines, ''].join('\n')
}

function readEdits(text: string, file: string): { readonly edits: readonly Edit[]; readonly files: readonly string[] } {
  const program = parseAst(text, { lang: 'js' }, file)
  const files: string[] = []
  const visit = (source: string): string => {
    if (source.startsWith('.')) files.push(posix.join(posix.dirname(file), source))
    return `require(${JSON.stringify(source)})`
  }
  const statements = program.body.flatMap((statement) => {
    const code = rewrite(statement, visit, text)
    return code === undefined ? [] : [code]
  })
  const expressions: Edit[] = []
  walk(program, (node) => {
    if (node.type === 'ImportExpression') {
      const { start, end, source } = node as unknown as { start: number; end: number; source: Source }
      const value = source.type === 'Literal' ? source.value : plainTextOf(source)
      if (value === undefined) throw new Error(`${file} imports a module whose name is known only at run time.`)
      expressions.push([start, end, `Promise.resolve().then(() => ${visit(value)})`])
    }
    if (node.type === 'MetaProperty' && text.startsWith('import.meta', node.start)) {
      if (!text.startsWith('.url', node.end)) throw new Error(`${file} uses more of import.meta than its url.`)
      expressions.push([node.start, node.end + '.url'.length, '`${require("node:url").pathToFileURL(__filename).href}?sandbox`'])
    }
  })
  return { edits: [...statements, ...expressions].toSorted(([a], [b]) => a - b), files }
}

interface Source {
  readonly type: string
  readonly value?: string
  readonly expressions?: readonly unknown[]
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[]
}

/** Returns the text of a template literal without expressions, which packed code uses for strings. */
function plainTextOf({ type, expressions = [], quasis = [] }: Source): string | undefined {
  return type === 'TemplateLiteral' && expressions.length === 0 ? quasis[0]?.value.cooked : undefined
}

/** Returns the script code for a statement that imports or exports; undefined for other statements. */
function rewrite(statement: Statement, visit: (source: string) => string, text: string): Edit | undefined {
  const { start, end } = statement
  switch (statement.type) {
    case 'ImportDeclaration': {
      const source = visit(statement.source.value)
      const [only] = statement.specifiers
      if (only === undefined) return [start, end, `${source};`]
      if (only.type === 'ImportNamespaceSpecifier') return [start, end, `const ${only.local.name} = ${source};`]
      const whole = statement.specifiers.find(({ type }) => type === 'ImportDefaultSpecifier')
      if (whole !== undefined && !statement.source.value.startsWith('node:')) return refuse(text.slice(start, end))
      const named = statement.specifiers.flatMap((specifier) =>
        specifier.type === 'ImportSpecifier' ? [`${nameOf(specifier.imported)}: ${specifier.local.name}`] : [],
      )
      const targets = [...(whole === undefined ? [] : [whole.local.name]), ...(named.length === 0 ? [] : [`{ ${named.join(', ')} }`])]
      return [start, end, targets.map((target) => `const ${target} = ${source};`).join(' ')]
    }
    case 'ExportNamedDeclaration': {
      if (statement.declaration !== null) return refuse(text.slice(start, end))
      const from = statement.source === null ? '' : `${visit(statement.source.value)}.`
      const lines = statement.specifiers.map(({ exported, local }) => `exports.${nameOf(exported)} = ${from}${nameOf(local)};`)
      return [start, end, lines.join(' ')]
    }
    case 'ExportDefaultDeclaration':
      if (statement.declaration.type.endsWith('Declaration')) return refuse(text.slice(start, end))
      return [start, statement.declaration.start, 'exports.default = ']
    case 'ExportAllDeclaration':
      return refuse(text.slice(start, end))
    default:
      return undefined
  }
}

function refuse(statement: string): never {
  throw new Error(`There is no rule for ${statement} in a sandbox of Jest. Add one to scripts/build-sandbox.ts.`)
}

function nameOf(name: { readonly name: string } | { readonly value: string }): string {
  return 'name' in name ? name.name : refuse(name.value)
}

function exportsOf(text: string): string[] {
  return parseAst(text, { lang: 'js' }).body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.specifiers.map(({ exported }) => nameOf(exported)) : [],
  )
}

/**
 * Checks that no chunk exports a variable that it reassigns later: a script exports values, so importers would not see the change. Has to run before
 * names are shortened, because one short name may stand for several variables.
 */
export const exportsAreValues: Plugin = {
  name: 'exports-are-values',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') refuseReassigned(chunk.code, chunk.fileName)
  },
}

/** @throws Error for a script that exports a variable that it reassigns. */
export function refuseReassigned(text: string, file: string): void {
  const program = parseAst(text, { lang: 'js' }, file)
  const exported = new Set(
    program.body.flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration' && statement.source === null
        ? statement.specifiers.map(({ local }) => nameOf(local))
        : [],
    ),
  )
  walk(program, (node) => {
    const target = (node as { left?: Node; argument?: Node }).left ?? (node as { argument?: Node }).argument
    const isAssigned = node.type === 'AssignmentExpression' || node.type === 'UpdateExpression'
    if (isAssigned && target?.type === 'Identifier' && exported.has((target as unknown as { name: string }).name))
      throw new Error(`${file} exports a variable that it reassigns: ${(target as unknown as { name: string }).name}.`)
  })
}

/** Checks for cycles: of two scripts that import each other, one would see the other half loaded. */
function checkCycles(edits: Readonly<Record<string, readonly Edit[]>>, directory: string): void {
  const done = new Set<string>()
  const visit = (file: string, before: readonly string[]): void => {
    if (before.includes(file)) throw new Error(`Built files import each other: ${[...before, file].join(' > ')}.`)
    if (done.has(file)) return
    done.add(file)
    for (const statement of parseAst(readFileSync(join(directory, file), 'utf8'), { lang: 'js' }, file).body) {
      const source = 'source' in statement ? statement.source?.value : undefined
      if (typeof source === 'string' && source.startsWith('.')) visit(posix.join(posix.dirname(file), source), [...before, file])
    }
  }
  for (const file of Object.keys(edits)) visit(file, [])
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) visit(node as Node)
    for (const child of Object.values(node)) walk(child, visit)
  }
}
