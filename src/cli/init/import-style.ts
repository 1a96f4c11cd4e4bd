import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FoundAgent } from './find-agents.ts'
import type { Project, Runner } from './project.ts'

/** How a project's files import each other: without an extension, with that of the compiled file, or with their own. */
export type ImportStyle = 'bare' | 'compiled' | 'own'

const relativeImport = /(?:\bfrom\s*|\brequire\(\s*|\bimport\(\s*|\bimport\s+)['"](\.{1,2}\/[^'"]+)['"]/g

/**
 * Returns how the example test imports the agent's module: in the style of the project's own files, or else in a style that its compiler and runner
 * accept.
 *
 * @param texts The contents of the project's own files.
 */
export function importStyle(project: Project, agent: FoundAgent, runner: Runner, texts: readonly string[]): ImportStyle {
  const styles = texts.flatMap((text) => [...text.matchAll(relativeImport)].flatMap(([, source = '']) => styleOf(source) ?? []))
  const counts = [...Map.groupBy(styles, (style) => style)].toSorted(([, a], [, b]) => b.length - a.length)
  const [[most] = []] = counts
  if (most !== undefined) return most === 'compiled' && !/\.[cm]?tsx?$/.test(agent.module) ? 'own' : most
  if (!/\.[cm]?tsx?$/.test(agent.module)) return 'own'
  // Jest does not resolve `.js` to `.ts`.
  if (runner === 'jest') return 'bare'
  return importsTypeScript(project) ? 'own' : 'compiled'
}

function styleOf(source: string): ImportStyle | undefined {
  if (/\.[cm]?tsx?$/.test(source)) return 'own'
  if (/\.[cm]?jsx?$/.test(source)) return 'compiled'
  return /\.\w+$/.test(source) ? undefined : 'bare'
}

/** Returns a module's file as it is imported in that style. */
export function importedAs(file: string, style: ImportStyle): string {
  if (style === 'bare') return file.replace(/\.[cm]?[jt]sx?$/, '')
  return style === 'compiled' ? file.replace(/\.([cm]?)tsx?$/, '.$1js') : file
}

/** TypeScript resolves `.js` to a `.ts` file by default. Without TypeScript, the file keeps its own extension. */
function importsTypeScript({ directory, repository }: Project): boolean {
  const configs = [directory, repository].map((folder) => path.join(folder, 'tsconfig.json')).filter((file) => existsSync(file))
  const texts = configs.map((file) => readFileSync(file, 'utf8'))
  return (
    texts.length === 0 || texts.some((text) => /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(text))
  )
}
