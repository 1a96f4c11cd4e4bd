import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { configNames, nearestConfigs } from '../config/config-files.ts'
import { agentOfGolden } from '../goldens/accepted/agent-of-golden.ts'
import { acceptedFile } from '../replay/traces/accepted/accepted-file.ts'
import { isFileRow, parseRows } from '../replay/traces/accepted/accepted-rows.ts'
import { isGolden } from '../stores/golden-directory.ts'
import { orElse } from '../trace/or-else.ts'

/** What reads the imports of a file: its specifiers. */
export type ExtractDependencies = (code: string, file: string, usual: ExtractDependencies) => Iterable<string>

/**
 * Returns what a file depends on, as specifiers: Jest's `dependencyExtractor`, by which `-o` and `--findRelatedTests` find the tests of a changed file.
 * In addition to the imports that Jest sees: a golden depends on its agent and on what the agent's accepted runs read, and a test on the goldens that
 * it names.
 *
 * @note Jest keeps what a file depends on until that file changes. So what depends on the content of another file (the config, the list of what an agent
 * is made of) is told of that file, and a golden depends on it. A specifier that leads nowhere does no harm, and leads somewhere once the file exists.
 */
export const extractDependencies: ExtractDependencies = (code, file, usual) => {
  if (isGolden(file)) return ofGolden(code, file)
  if (file.endsWith('.accepted')) return ofAccepted(code)
  const imports = usual(code, file, usual)
  if (configNames.includes(path.basename(file))) return new Set([...imports, ...literalsOf(code).flatMap(ofReference)])
  return code.includes('goldenrun/jest') ? new Set([...imports, ...ofTest(code, file)]) : imports
}

/** Returns a key for what Jest keeps of all files: it changes with what is extracted. */
export function cacheKey(): string {
  return 'goldenrun 1'
}

function ofGolden(text: string, file: string): string[] {
  const root = goldenDirectoryOf(file)
  const agent = agentOfGolden(text)
  const beside = configNames.map((name) => path.join(root, '..', name))
  const files = [...beside, ...nearestConfigs(path.dirname(root)), ...(agent === undefined ? [] : [acceptedFile(root, agent)])]
  const [, follows] = /"follows":"([^"\\]+)"/.exec(text.slice(0, text.indexOf('\n'))) ?? []
  return specifiers(file, follows === undefined ? files : [...files, path.join(root, `${follows}.jsonl`)])
}

/** The files of an agent, whose paths start from the folder that contains the goldens. */
function ofAccepted(text: string): string[] {
  return parseRows(text).flatMap((row) => (isFileRow(row) ? [`../${row.name}`] : []))
}

/** A config refers to agents as `./src/agent.ts#name`, `src/agent.ts` or `@shop/agent`. */
function ofReference(literal: string): string[] {
  const [module = ''] = literal.split('#')
  if (module === '' || /[\s:]/.test(module)) return []
  return module.startsWith('.') ? [module] : [`./${module}`, module]
}

/** The goldens that a test names, by name or path, and the runs of a conversation. */
function ofTest(code: string, file: string): string[] {
  const root = nearestGoldens(path.dirname(file))
  if (root === undefined) return []
  const names = literalsOf(code).filter((literal) => /^[\w@][\w@./-]*$/.test(literal))
  const files = names.flatMap((name) => [path.join(root, `${name}.jsonl`), ...goldensIn(path.join(root, name))])
  return specifiers(file, files)
}

function nearestGoldens(directory: string): string | undefined {
  const goldens = path.join(directory, 'golden-traces')
  if (statSync(goldens, { throwIfNoEntry: false })?.isDirectory() === true) return goldens
  const parent = path.dirname(directory)
  return parent === directory ? undefined : nearestGoldens(parent)
}

function goldensIn(folder: string): string[] {
  const names = orElse(() => readdirSync(folder), [])
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(folder, name))
}

/** Returns the nearest folder `golden-traces` above a golden. */
function goldenDirectoryOf(file: string): string {
  const directory = path.dirname(file)
  return path.basename(directory) === 'golden-traces' ? directory : goldenDirectoryOf(directory)
}

function specifiers(from: string, files: readonly string[]): string[] {
  return files.map((file) => {
    const relative = path.relative(path.dirname(from), file).replaceAll(path.sep, '/')
    return relative.startsWith('.') ? relative : `./${relative}`
  })
}

function literalsOf(code: string): string[] {
  return [...code.matchAll(/(['"`])([^'"`\n\\]+)\1/g)].map(([, , literal = '']) => literal)
}

/** Returns the extensions of the texts that agents of a project read, so that Jest knows these files. */
export function textExtensions(project: string): string[] {
  const goldens = path.join(project, 'golden-traces')
  const lists = orElse(() => readdirSync(goldens), []).filter((name) => name.endsWith('.accepted'))
  const rows = lists.flatMap((name) => parseRows(orElse(() => readFileSync(path.join(goldens, name), 'utf8'), '')))
  const extensions = rows.filter(isFileRow).map(({ name }) => path.extname(name).slice(1))
  return [...new Set(extensions)].filter((extension) => extension !== '').toSorted()
}
