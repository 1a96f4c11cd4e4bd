/** The lines that a user has to add to a Vitest config. */
export const VITEST_LINES: readonly string[] = ["import { goldenrun } from 'goldenrun/vitest/plugin'", 'plugins: [goldenrun()],']

/** A new Vitest config. */
export const VITEST_CONFIG = `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [goldenrun()] })
`

/** The result of editing a config: its new text, or that it needs no change, or that it cannot be edited safely. */
export type ConfigEdit = { readonly status: 'edited'; readonly text: string } | { readonly status: 'unchanged' | 'unclear' }

/** A node of a syntax tree, in ESTree's shape, which every version of Vite produces. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Parses a module; throws if it cannot be parsed. */
export type ParseModule = (text: string) => unknown

/** Loads the parser of the project's Vite, which every Vitest includes. */
export async function loadParser(): Promise<ParseModule> {
  const { parseAst } = await import('vitest/node')
  return (text) => parseAst(text, { lang: 'ts' } as never)
}

/**
 * Adds the plugin to a Vitest config that exports an object, directly or through `defineConfig`. If its plugins are a literal list, the plugin comes
 * before them. Everything else stays unchanged.
 */
export function editVitestConfig(text: string, parse: ParseModule): ConfigEdit {
  if (/\bgoldenrun\b/.test(text)) return { status: isThere(text) ? 'unchanged' : 'unclear' }
  try {
    const body = (parse(text) as Node)['body'] as readonly Node[]
    const config = findConfig(body)
    const plugin = config === undefined || /\bprojects\s*:/.test(text) ? undefined : pluginEdit(config, text)
    if (plugin === undefined) return { status: 'unclear' }
    const edited = apply(text, [plugin, importEdit(body, text)])
    void parse(edited)
    return { status: 'edited', text: edited }
  } catch {
    // If the parser cannot read it, the user has to edit it.
    return { status: 'unclear' }
  }
}

interface Edit {
  readonly at: number
  readonly text: string
}

function isThere(text: string): boolean {
  return /from\s+['"]goldenrun\/vitest\/plugin['"]/.test(text) && /\bgoldenrun\s*\(/.test(text)
}

function apply(text: string, edits: readonly Edit[]): string {
  return edits.toSorted((a, b) => b.at - a.at).reduce((edited, edit) => edited.slice(0, edit.at) + edit.text + edited.slice(edit.at), text)
}

function findConfig(body: readonly Node[]): Node | undefined {
  const exported = body.find(({ type }) => type === 'ExportDefaultDeclaration')
  return exported === undefined ? undefined : toObject(exported['declaration'] as Node, body)
}

/** Returns the object literal to which an expression certainly evaluates. */
function toObject(node: Node | undefined, body: readonly Node[]): Node | undefined {
  switch (node?.type) {
    case 'ObjectExpression':
      return node
    case 'CallExpression': {
      const [first, ...others] = node['arguments'] as readonly Node[]
      const isKnown = /^(?:defineConfig|defineProject)$/.test(String((node['callee'] as Node)['name']))
      return isKnown && others.length === 0 ? toObject(first, body) : undefined
    }
    case 'TSSatisfiesExpression':
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return toObject(node['expression'] as Node, body)
    case 'ArrowFunctionExpression':
      return toObject(node['body'] as Node, body)
    case 'BlockStatement': {
      const returned = (node['body'] as readonly Node[]).filter(({ type }) => /Return|If|Switch|Try/.test(type))
      return returned.length === 1 && returned[0]?.type === 'ReturnStatement' ? toObject(returned[0]['argument'] as Node, body) : undefined
    }
    case 'Identifier':
      return toObject(declared(node['name'], body), body)
    default:
      return undefined
  }
}

function declared(name: unknown, body: readonly Node[]): Node | undefined {
  const declarations = body.flatMap((node) =>
    node.type === 'VariableDeclaration' && node['kind'] === 'const' ? (node['declarations'] as readonly Node[]) : [],
  )
  return declarations.find((node) => (node['id'] as Node)['name'] === name)?.['init'] as Node | undefined
}

function pluginEdit(config: Node, text: string): Edit | undefined {
  const properties = config['properties'] as readonly Node[]
  const plugins = properties.find(({ key, type }) => type === 'Property' && (key as Node)['name'] === 'plugins')
  if (plugins === undefined) {
    // A spread may contain plugins that would replace ours or be replaced by it.
    if (properties.some(({ type }) => type !== 'Property')) return undefined
    return insertFirst(config, properties[0], 'plugins: [goldenrun()]', text)
  }
  const list = plugins['value'] as Node
  return list.type === 'ArrayExpression' ? insertFirst(list, (list['elements'] as readonly Node[])[0], 'goldenrun()', text) : undefined
}

/** Inserts the first item of a list or an object, formatted like the current first item. */
function insertFirst(list: Node, first: Node | undefined, item: string, text: string): Edit | undefined {
  const open = text[list.start]
  if (open !== '{' && open !== '[') return undefined
  if (first === undefined) return { at: list.start + 1, text: open === '{' ? ` ${item} ` : item }
  const space = /\s*$/.exec(text.slice(list.start + 1, first.start))?.[0] ?? ''
  return { at: first.start, text: `${item},${space === '' ? ' ' : space}` }
}

function importEdit(body: readonly Node[], text: string): Edit {
  const last = body.findLast(({ type }) => type === 'ImportDeclaration')
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  if (last === undefined) return { at: 0, text: `${VITEST_LINES[0]}${line}${line}` }
  const source = text.slice(last.start, last.end)
  const [quote, end] = [source.includes('"') ? '"' : "'", source.endsWith(';') ? ';' : '']
  return { at: last.end, text: `${line}import { goldenrun } from ${quote}goldenrun/vitest/plugin${quote}${end}` }
}
