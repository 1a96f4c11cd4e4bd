import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '../../config/load-config.ts'
import { agentLine, createConfig, createExample, createWorkflow, exampleName } from './files.ts'
import { type FoundAgent, readSources } from './find-agents.ts'
import { importStyle } from './import-style.ts'
import { createJestConfig, editJestCode, editJestJson, jestLines } from './jest-config.ts'
import { findConfigs, hasPackage, type Project, type Runner, testCommandOf } from './project.ts'
import { type ConfigEdit, editVitestConfig, loadParser, VITEST_CONFIG, VITEST_LINES } from './vitest-config.ts'

/** What is done to a file. */
export interface FileChange {
  /** An absolute path. */
  readonly file: string
  /** `manual`: it is the user's, and not of a shape that can be edited safely. `optional`: so it is, and what is set up works without. */
  readonly status: 'created' | 'edited' | 'unchanged' | 'manual' | 'optional'
  /** What it will hold, where it is written. */
  readonly text?: string
  /** What a person has to add to it. */
  readonly lines?: readonly string[]
  /** What they are for, where it works without them. */
  readonly advice?: string
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
  const runner = answers.runner === 'vitest' ? await planVitest(project, answers) : planJest(project)
  return [
    await planConfig(project, answers),
    runner,
    planExample(project, answers, runner.status !== 'optional'),
    planGitignore(project),
    ...(answers.ci === 'github' ? [planWorkflow(project, answers)] : []),
  ].map((change) => ({ ...change, file: path.resolve(directory, change.file) }))
}

/** What is left to do by hand before a first replay, in order. */
export function nextSteps(project: Project, answers: Answers): string[] {
  const { runner, agent, input } = answers
  const missing = missingPackages(project, answers)
  const command = testCommandOf(project, runner)
  if (isExampleRecorded(project, agent)) return []
  return [
    ...(missing.length === 0 ? [] : [`${adding[project.packageManager]} ${missing.join(' ')}`]),
    ...(input === undefined ? [`Write in ${exampleFile(project, agent)} what the agent is given.`] : []),
    `GOLDENRUN=record ${command}`,
    command,
  ]
}

/** What is not installed that the tests need. */
export function missingPackages(project: Project, { runner, agent }: Answers): string[] {
  const needed = ['goldenrun', runner, ...(importsJestGlobals(project, agent) && runner === 'jest' ? ['@jest/globals'] : [])]
  return needed.filter((name) => !hasPackage(project.packageJson, name) && !isInstalled(project, name))
}

function isInstalled({ directory, repository }: Project, name: string): boolean {
  return [directory, repository].some((folder) => existsSync(path.join(folder, 'node_modules', name)))
}

/** Where TypeScript is compiled, somebody has to declare `test` and `expect`. */
function importsJestGlobals(project: Project, agent: FoundAgent): boolean {
  if (extensionOf(project, agent) !== 'ts') return false
  // Types of globals may be there and not be seen: tsconfig's `types` names which are.
  return isInstalled(project, '@jest/globals') || !hasPackage(project.packageJson, '@types/jest')
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
  if (existing.endsWith('.json')) return toChange(existing, editJestJson(text, inPackage ? { field: 'jest' } : {}), jestLines(isModule))
  const change = toChange(existing, editJestCode(text), jestLines(/^export default/m.test(text)))
  const advice = 'The example test runs without it. For golden traces as test files, and for -u, wrap what it exports:'
  return change.status === 'manual' ? { ...change, status: 'optional', advice } : change
}

function toChange(file: string, edit: ConfigEdit, lines: readonly string[]): FileChange {
  if (edit.status === 'edited') return { file, status: 'edited', text: edit.text }
  return edit.status === 'unchanged' ? { file, status: 'unchanged' } : { file, status: 'manual', lines }
}

function planExample(project: Project, { agent, runner, input }: Answers, hasRunner: boolean): FileChange {
  const file = exampleFile(project, agent)
  if (existsSync(path.join(project.directory, file))) return { file, status: 'unchanged' }
  const text = createExample({
    agent,
    runner,
    command: testCommandOf(project, runner),
    folder: path.posix.dirname(file),
    input,
    style: importStyle(project, agent, runner, readSources(project.directory)),
    saysEnvironment: !hasRunner,
    importsGlobals: runner === 'vitest' || importsJestGlobals(project, agent),
  })
  return { file, status: 'created', text }
}

/** The example test's file, from the project's folder. */
export function exampleFile(project: Project, agent: FoundAgent): string {
  const folder = ['test', 'tests', '__tests__'].find((candidate) => existsSync(path.join(project.directory, candidate))) ?? 'test'
  return `${folder}/${agent.name}.golden.test.${extensionOf(project, agent)}`
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
