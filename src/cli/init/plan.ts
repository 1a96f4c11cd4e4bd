import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '../../config/load-config.ts'
import { execs } from '../../stores/package-manager.ts'
import { agentLine, createConfig, createExample, createWorkflow, exampleName } from './files.ts'
import type { FoundAgent } from './find-agents.ts'
import { createJestConfig, editJestConfig, JEST_LINES } from './jest-config.ts'
import { findConfigs, hasPackage, type Project, type Runner } from './project.ts'
import { type ConfigEdit, editVitestConfig, loadParser, VITEST_CONFIG, VITEST_LINES } from './vitest-config.ts'

/** What is done to a file. */
export interface FileChange {
  /** An absolute path. */
  readonly file: string
  /** `manual`: it is the user's, and not of a shape that can be edited safely. */
  readonly status: 'created' | 'edited' | 'unchanged' | 'manual'
  /** What it will hold, where it is written. */
  readonly text?: string
  /** What a person has to add to it. */
  readonly lines?: readonly string[]
}

/** What `goldenrun init` was told, or found. */
export interface Answers {
  readonly runner: Runner
  readonly agent: FoundAgent
  readonly ci: 'github' | 'none'
  /** What the agent is given in the example test, as JSON. */
  readonly input: string | undefined
}

/** What has to be done to a project. Nothing of the user's is ever replaced. */
export async function planChanges(project: Project, answers: Answers): Promise<FileChange[]> {
  const { directory } = project
  return [
    await planConfig(project, answers),
    ...(answers.runner === 'vitest' ? [await planVitest(project, answers)] : [planJest(project)]),
    planExample(project, answers),
    planGitignore(project),
    ...(answers.ci === 'github' ? [planWorkflow(project, answers)] : []),
  ].map((change) => ({ ...change, file: path.resolve(directory, change.file) }))
}

/** What is left to do by hand before a first replay, in order. */
export function nextSteps(project: Project, { runner, agent, input }: Answers): string[] {
  const missing = ['goldenrun', runner].filter((name) => !hasPackage(project.packageJson, name))
  const command = `${execs[project.packageManager]} ${runner === 'vitest' ? 'vitest run' : 'jest'}`
  if (isExampleRecorded(project, agent)) return []
  return [
    ...(missing.length === 0 ? [] : [`${adding[project.packageManager]} ${missing.join(' ')}`]),
    ...(input === undefined ? [`Write in ${exampleFile(project, agent)} what the agent is given.`] : []),
    `GOLDENRUN=record ${command}`,
    command,
  ]
}

const adding = { npm: 'npm install --save-dev', pnpm: 'pnpm add --save-dev', yarn: 'yarn add --dev', bun: 'bun add --dev' } as const

/** Whether the example test has its golden. */
export function isExampleRecorded({ directory }: Project, agent: FoundAgent): boolean {
  return existsSync(path.join(directory, 'golden-traces', `${exampleName(agent)}.jsonl`))
}

/** Files are written in the language of the agent: its runner takes it with a `tsconfig.json` or without. */
function extensionOf({ isTypeScript }: Project, { module }: FoundAgent): 'ts' | 'js' {
  return isTypeScript || /\.[cm]?tsx?$/.test(module) ? 'ts' : 'js'
}

async function planConfig(project: Project, { agent }: Answers): Promise<FileChange> {
  const { directory, isModule } = project
  const [existing] = findConfigs(directory, 'goldenrun')
  if (existing === undefined) {
    const extension = `${isModule ? '' : 'm'}${extensionOf(project, agent)}`
    return { file: `goldenrun.config.${extension}`, status: 'created', text: createConfig(agent) }
  }
  const { config } = await loadConfig(directory)
  if (Object.hasOwn(config.agents ?? {}, agent.name)) return { file: existing, status: 'unchanged' }
  return { file: existing, status: 'manual', lines: [agentLine(agent)] }
}

async function planVitest(project: Project, { agent }: Answers): Promise<FileChange> {
  const { directory, isModule } = project
  // Vitest takes the one or the other, its own before Vite's.
  const [existing] = [...findConfigs(directory, 'vitest'), ...findConfigs(directory, 'vite')]
  if (existing === undefined) {
    const extension = `${isModule ? '' : 'm'}${extensionOf(project, agent)}`
    return { file: `vitest.config.${extension}`, status: 'created', text: VITEST_CONFIG }
  }
  const parse = await loadParser().catch(() => undefined)
  const text = readFileSync(path.join(directory, existing), 'utf8')
  return toChange(existing, parse === undefined ? { status: 'unclear' } : editVitestConfig(text, parse), VITEST_LINES)
}

function planJest({ directory, isModule, packageJson }: Project): FileChange {
  const inPackage = packageJson.jest !== undefined
  const [existing] = inPackage ? ['package.json'] : findConfigs(directory, 'jest')
  if (existing === undefined) return { file: 'jest.config.js', status: 'created', text: createJestConfig(isModule) }
  const text = readFileSync(path.join(directory, existing), 'utf8')
  return toChange(existing, editJestConfig(text, inPackage ? { field: 'jest' } : {}), JEST_LINES)
}

function toChange(file: string, edit: ConfigEdit, lines: readonly string[]): FileChange {
  if (edit.status === 'edited') return { file, status: 'edited', text: edit.text }
  return edit.status === 'unchanged' ? { file, status: 'unchanged' } : { file, status: 'manual', lines }
}

function planExample(project: Project, { agent, runner, input }: Answers): FileChange {
  const file = exampleFile(project, agent)
  if (existsSync(path.join(project.directory, file))) return { file, status: 'unchanged' }
  const folder = path.posix.dirname(file)
  const exec = execs[project.packageManager]
  return {
    file,
    status: 'created',
    text: createExample({ agent, runner, exec, folder, input, importsTypeScript: importsTypeScript(project) }),
  }
}

/** The example test's file, from the project's folder. */
export function exampleFile(project: Project, agent: FoundAgent): string {
  const folder = ['test', 'tests', '__tests__'].find((candidate) => existsSync(path.join(project.directory, candidate))) ?? 'test'
  return `${folder}/${agent.name}.golden.test.${extensionOf(project, agent)}`
}

/** TypeScript takes `.js` for a `.ts` file unless it is told otherwise; where there is no TypeScript to ask, the file is named as it is. */
function importsTypeScript({ directory, repository }: Project): boolean {
  const configs = [directory, repository].map((folder) => path.join(folder, 'tsconfig.json')).filter((file) => existsSync(file))
  const texts = configs.map((file) => readFileSync(file, 'utf8'))
  return (
    texts.length === 0 || texts.some((text) => /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(text))
  )
}

function planGitignore({ directory, repository }: Project): FileChange {
  const isIgnored = (folder: string): boolean =>
    existsSync(path.join(folder, '.gitignore')) &&
    /^\/?(?:\*\*\/)?\.goldenrun\/?\s*$/m.test(readFileSync(path.join(folder, '.gitignore'), 'utf8'))
  if (isIgnored(directory) || isIgnored(repository)) return { file: '.gitignore', status: 'unchanged' }
  const file = path.join(directory, '.gitignore')
  if (!existsSync(file)) return { file, status: 'created', text: '.goldenrun/\n' }
  const text = readFileSync(file, 'utf8')
  return { file, status: 'edited', text: `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}.goldenrun/\n` }
}

function planWorkflow(project: Project, { runner }: Answers): FileChange {
  const { repository } = project
  const file = path.join(repository, '.github/workflows/goldenrun.yml')
  const text = createWorkflow({ project, runner, action: findAction(project), branch: mainBranch(repository) })
  if (!existsSync(file)) return { file, status: 'created', text }
  const existing = readFileSync(file, 'utf8')
  const folder = path.relative(repository, project.directory).replaceAll(path.sep, '/')
  // It may have been changed since, and that is as it should be; of another package it lacks this one.
  if (folder === '' || existing === text || existing.includes(`working-directory: ${folder}\n`)) return { file, status: 'unchanged' }
  return {
    file,
    status: 'manual',
    lines: text
      .split('\n')
      .slice(text.split('\n').findIndex((line) => line.includes('uses: ./')))
      .slice(0, 3),
  }
}

/** The folder of the installed package, from the top of the repository: it is an action of GitHub's, too. */
function findAction({ directory, repository }: Project): string | undefined {
  if (existsSync(path.join(repository, '.pnp.cjs'))) return undefined
  const installed = [directory, repository].find((folder) => existsSync(path.join(folder, 'node_modules/goldenrun')))
  return path.relative(repository, path.join(installed ?? repository, 'node_modules/goldenrun')).replaceAll(path.sep, '/')
}

/** The branch that is checked out, where it is called as main branches are. */
function mainBranch(repository: string): string {
  const head = path.join(repository, '.git/HEAD')
  const [, branch] = /refs\/heads\/(main|master|trunk|develop)\s*$/.exec(existsSync(head) ? readFileSync(head, 'utf8') : '') ?? []
  return branch ?? 'main'
}
