import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentReference } from '../../config/agent-reference.ts'
import { initError } from './project.ts'

/** An agent, as `goldenrun.config.ts` names it. */
export interface FoundAgent extends AgentReference {
  /** Its name in recordings and in the config. */
  readonly name: string
  /** Whether its file is written as CommonJS: `module.exports = { supportAgent }`. */
  readonly isCommonJs: boolean
}

/** Returns an agent's name in a config: `./src/agent.ts#supportAgent`. */
export function referenceTo({ module, exported }: FoundAgent): string {
  return exported === 'default' ? module : `${module}#${exported}`
}

/** How many folders deep agents are searched for. */
const deepest = 4

/** Returns the contents of a project's own files, except tests. */
export function readSources(directory: string): string[] {
  return listFiles(directory, '.', 0).map((file) => readFileSync(path.join(directory, file), 'utf8'))
}

/** Finds the functions in a project's own files that look like agents: exported and named like one, or the only export of a file named like one. */
export function findAgents(directory: string): FoundAgent[] {
  return listFiles(directory, '.', 0).flatMap((module) => {
    const text = readFileSync(path.join(directory, module), 'utf8')
    const exported = exportsOf(text)
    const named = exported.filter((name) => /agent$/i.test(name))
    const found = named.length > 0 ? named : /^agent\./i.test(path.basename(module)) && exported.length === 1 ? exported : []
    return found.map((name) => toAgent(module, name, text))
  })
}

/**
 * Returns the agent that `module#export` names, relative to the project's folder. Without an export, it is the default export.
 *
 * @throws GoldenrunError `GOLDENRUN_INIT` if the file does not exist or does not contain that name.
 */
export function readAgent(directory: string, reference: string): FoundAgent {
  const [file = '', exported = 'default', ...rest] = reference.split('#')
  const module = `./${path.posix.normalize(file.replaceAll('\\', '/'))}`
  if (file === '' || exported === '' || rest.length > 0 || path.isAbsolute(file))
    throw initError(`"${reference}" is not an agent: name a file of the project and its export, such as ./src/agent.ts#supportAgent`)
  let text: string
  try {
    text = readFileSync(path.join(directory, module), 'utf8')
  } catch (error) {
    throw initError(`The agent's file ${module} does not exist. Name it relative to package.json: --agent ./src/agent.ts#supportAgent`, {
      cause: error,
    })
  }
  if (!text.includes(exported)) {
    const known = exportsOf(text)
    throw initError(`${module} exports no "${exported}"${known.length === 0 ? '' : `: it exports ${known.join(', ')}`}.`)
  }
  return toAgent(module, exported, text)
}

/** Derives the agent's name from its export, without the word "agent". */
function toAgent(module: string, exported: string, text: string): FoundAgent {
  const file = path.posix.basename(module).replace(/\..*$/, '')
  const words = (exported === 'default' ? file : exported).replace(/[-_]?agent$/i, '') || 'agent'
  return { name: words.charAt(0).toLowerCase() + words.slice(1), module, exported, isCommonJs: commonJsExportsOf(text).length > 0 }
}

const exportPattern =
  /^export\s+(?:(default)\b|(?:async\s+)?function\s*\*?\s*([\w$]+)|(?:const|let)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\b|\(|function\b|tool\())/gm

function exportsOf(text: string): string[] {
  const exported = [...text.matchAll(exportPattern)].flatMap(([, isDefault, declared, assigned]) => isDefault ?? declared ?? assigned ?? [])
  return [...exported, ...commonJsExportsOf(text)]
}

function commonJsExportsOf(text: string): string[] {
  const fields = [...text.matchAll(/^(?:module\.)?exports\.([\w$]+)\s*=/gm)].map(([, name = '']) => name)
  const [, object = ''] = /^module\.exports\s*=\s*\{([^}]*)\}/m.exec(text) ?? []
  return [...fields, ...[...object.matchAll(/(?:^|,)\s*(?:async\s+)?([\w$]+)/g)].map(([, name = '']) => name)]
}

function listFiles(directory: string, folder: string, depth: number): string[] {
  return readdirSync(path.join(directory, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      if (entry.isDirectory())
        return depth === deepest || /^(?:\.|node_modules$|dist$|build$|coverage$|tests?$|__tests__$)/.test(entry.name)
          ? []
          : listFiles(directory, file, depth + 1)
      return /^(?!.*\.(?:test|spec|config|d)\.).*\.[cm]?[jt]sx?$/.test(entry.name) ? [file] : []
    })
}
