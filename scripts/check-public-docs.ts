/** Checks that every symbol that the package exports has a docstring, and says where one is missing. */
import { relative } from 'node:path'
import { API, type Checker, type Project, SymbolFlags, type Symbol as TypeScriptSymbol } from 'typescript/unstable/sync'
import { readLibraryEntries } from './entries.ts'

const api = new API()
const snapshot = api.updateSnapshot({ openProject: 'tsconfig.build.json' })
const project = snapshot.getProjects()[0]
if (project === undefined) throw new Error('tsconfig.build.json could not be opened')

const undocumented = new Set(Object.values(readLibraryEntries()).flatMap((entry) => findUndocumented(project, entry)))
for (const finding of undocumented) console.error(finding)
process.exitCode = undocumented.size > 0 ? 1 : 0
snapshot.dispose()
api.close()

function findUndocumented({ program, checker }: Project, entry: string): string[] {
  const file = program.getSourceFile(entry)
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
  if (module === undefined) return [`${entry}:1: does not exist, or exports nothing`]
  const findings: string[] = []
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = followAlias(exported, checker)
    const place = placeOf(symbol)
    if (place === undefined) findings.push(`${entry}:1: ${exported.name} cannot be resolved`)
    else if (!place.includes('node_modules') && symbol.getDocumentationComment(checker) === '')
      findings.push(`${place}: ${exported.name} has no docstring`)
  }
  return findings
}

function followAlias(symbol: TypeScriptSymbol, checker: Checker): TypeScriptSymbol {
  return (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
}

function placeOf(symbol: TypeScriptSymbol): string | undefined {
  const node = symbol.declarations[0]?.resolve()
  if (node === undefined) return undefined
  const file = node.getSourceFile()
  const line = file.text.slice(0, node.getStart()).split('\n').length
  return `${relative('.', file.fileName)}:${line}`
}
