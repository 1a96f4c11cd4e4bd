import {
  type FunctionDeclaration,
  type InterfaceDeclaration,
  type Node,
  SyntaxKind,
  type TypeAliasDeclaration,
} from 'typescript/unstable/ast'
import type { PublicEntry, PublicSymbol } from './public-symbols.ts'

/** Prints the package's exports as a Markdown page, from their docstrings. */
export function printReference(entries: readonly PublicEntry[]): string {
  const known = new Map<string, string>()
  const sections = entries.map((entry) => {
    const symbols = (entry.symbols ?? []).filter(({ isForeign }) => !isForeign)
    const own = symbols
      .filter(({ place }) => place !== undefined && !known.has(place))
      .toSorted((a, b) => Number(isType(a)) - Number(isType(b)))
    const others = new Set(symbols.flatMap(({ place }) => (place === undefined ? [] : (known.get(place) ?? []))))
    for (const { place } of own) if (place !== undefined) known.set(place, entry.specifier)
    const handedOn = [...others].map((specifier) => `What \`${specifier}\` exports is also exported here.`)
    const nothing = symbols.length === 0 ? ['It exports nothing: importing it does its work.'] : []
    return [`## \`${entry.specifier}\``, ...nothing, ...handedOn, ...own.map(printSymbol)].join('\n\n')
  })
  return `${[TITLE, ...sections].join('\n\n')}\n`
}

/** Returns whether a symbol is a type. Types come after the symbols that use them. */
function isType({ declarations }: PublicSymbol): boolean {
  return declarations.every(({ kind }) => kind === SyntaxKind.InterfaceDeclaration || kind === SyntaxKind.TypeAliasDeclaration)
}

const TITLE = `# Reference

Written by \`npm run reference\` from the docstrings of what the package exports. A \`?\` marks what may be left out.`

function printSymbol(symbol: PublicSymbol): string {
  const parts = [`### \`${symbol.name}\``, ...symbol.declarations.flatMap(printSignature), prose(symbol.text)]
  const parameters = symbol.tags.filter(({ name }) => name === 'param').map(({ text }) => printParameter(text))
  if (parameters.length > 0) parts.push(parameters.join('\n'))
  const thrown = symbol.tags.filter(({ name }) => name === 'throws').map(({ text }) => `Throws ${prose(text)}`)
  parts.push(...thrown)
  parts.push(...symbol.declarations.flatMap(printBases))
  const members = symbol.declarations.flatMap(membersOf)
  if (members.length > 0) parts.push(printMembers(members, symbol))
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Prints a function's call signature, or a type as written. Members of interfaces and classes have their own table. */
function printSignature(declaration: Node): string[] {
  if (declaration.kind === SyntaxKind.FunctionDeclaration) {
    const { body } = declaration as FunctionDeclaration
    const from = declaration.getStart()
    const text = declaration.getSourceFile().text.slice(from, body === undefined ? declaration.getEnd() : body.getStart())
    return [`\`${onOneLine(text.replace(/^export (default )?(async )?function /, ''))}\``]
  }
  if (declaration.kind === SyntaxKind.TypeAliasDeclaration)
    return [`\`${onOneLine((declaration as TypeAliasDeclaration).type.getText())}\``]
  return []
}

/** Prints the interfaces that an interface extends. */
function printBases(declaration: Node): string[] {
  if (declaration.kind !== SyntaxKind.InterfaceDeclaration) return []
  const bases = [...((declaration as InterfaceDeclaration).heritageClauses ?? [])].flatMap(({ types }) => [...types])
  return bases.map((base) => `It also has the members of \`${onOneLine(base.getText())}\`.`)
}

function membersOf(declaration: Node): readonly Node[] {
  return declaration.kind === SyntaxKind.InterfaceDeclaration ? (declaration as InterfaceDeclaration).members : []
}

function printMembers(members: readonly Node[], symbol: PublicSymbol): string {
  const rows = members.map((member) => {
    const text = onOneLine(member.getText().replace(/^readonly /, ''))
    return `| \`${inCell(text)}\` | ${inCell(prose(symbol.textOf(member)))} |`
  })
  return ['| member | |', '| --- | --- |', ...rows].join('\n')
}

/** Converts `name What it is.`, the form of a docstring. */
function printParameter(text: string): string {
  const [name = '', ...words] = prose(text).split(' ')
  return `- \`${name}\`: ${words.join(' ')}`
}

/** Returns a text without the line breaks that only keep its lines short. */
function prose(text: string): string {
  return text.replaceAll(/ *\n(?!\n|- )/g, ' ').trim()
}

/** Returns code on one line, without its comments. */
function onOneLine(code: string): string {
  return (
    code
      .replaceAll(/\/\*\*.*?\*\//gs, '')
      // Members of a type are on separate lines.
      .replaceAll(/(?<=[^\s{;,|&([<])\s*\n\s*(?=readonly |[\w'"]+\??:)/g, '; ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/^\| |([([<]) | (?=[)\]>])/g, '$1')
      .replaceAll(/,(?=[)>])/g, '')
      .trim()
  )
}

function inCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`)
}
