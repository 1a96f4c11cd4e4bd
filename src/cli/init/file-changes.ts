import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '../../config/load-config.ts'
import { agentLine, createConfig, createExample, createWorkflow, exampleName } from './files.ts'
import { type FoundAgent, readSources } from './find-agents.ts'
import { importStyle } from './import-style.ts'
import { createJestConfig, editJestCode, editJestJson, jestLines } from './jest-config.ts'
import { findConfigs, hasPackage, type Project, type Runner, testCommandOf } from './project.ts'
import { type ConfigEdit, editVitestConfig, loadParser, VITEST_CONFIG, VITEST_LINES } from './vitest-config.ts'

/** A change of a file. */
export interface FileChange {
  /** An absolute path. */
  readonly file: string
  /** `manual`: it cannot be edited safely, so the user has to. `optional`: the same, but the setup works without it. */
  readonly status: 'created' | 'edited' | 'unchanged' | 'manual' | 'optional'
  /** Its new contents, if it is written. */
  readonly text?: string
  /** The lines that the user has to add. */
  readonly lines?: readonly string[]
  /** What the lines are for, if they are optional. */
  readonly advice?: string
}

/** The answers that `goldenrun init` was given or found. */
export interface Answers {
  readonly runner: Runner
  readonly agent: FoundAgent
  readonly ci: 'github' | 'none'
  /** The agent's input in the example test, as JSON. */
  readonly input: string | undefined
}

/** Plans the changes to a project's files. The user's own code is never replaced. */
export async function planChanges(project: Project, answers: Answers): Promise<FileChange[]> {
  const { directory } = project
  const runner = answers.runner === 'vitest' ? await planVitest(project, answers) : planJest(project)
  return [
    await planConfig(project, answers),
    runner,
    planExample(project, answers, runner.status !== 'optional'),
    planGitignore(project, answers),
    ...(answers.ci === 'github' ? [planWorkflow(project, answers)] : []),
  ].map((change) => ({ ...change, file: path.resolve(directory, change.file) }))
}

/** Returns the steps that are left to do by hand before a first replay, in order. */
export function nextSteps(project: Project, answers: Answers): string[] {
  const { runner, agent, input } = answers
  const missing = missingPackages(project, answers)
  const command = testCommandOf(project, runner)
  if (isExampleRecorded(project, agent)) return []
  return [
    ...(missing.length === 0 ? [] : [`${adding[project.packageManager]} ${missing.join(' ')}`]),
    ...(input === undefined ? [`Write the agent's input in ${exampleFile(project, agent)}.`] : []),
    `GOLDENRUN=record ${command}`,
    command,
  ]
}

/** Returns the packages that the tests need and that are not installed. */
export function missingPackages(project: Project, { runner, agent }: Answers): string[] {
  const needed = ['goldenrun', runner, ...(importsJestGlobals(project, agent) && runner === 'jest' ? ['@jest/globals'] : [])]
  return needed.filter((name) => !hasPackage(project.packageJson, name) && !isInstalled(project, name))
}

function isInstalled({ directory, repository }: Project, name: string): boolean {
  return [directory, repository].some((folder) => existsSync(path.join(folder, 'node_modules', name)))
}

/** Whether the test has to import Jest's globals: in TypeScript, `test` and `expect` have to be declared. */
function importsJestGlobals(project: Project, agent: FoundAgent): boolean {
  if (extensionOf(project, agent) !== 'ts') return false
  // Installed types of globals may be excluded by tsconfig's `types`.
  return isInstalled(project, '@jest/globals') || !hasPackage(project.packageJson, '@types/jest')
}

const adding = { npm: 'npm install --save-dev', pnpm: 'pnpm add --save-dev', yarn: 'yarn add --dev', bun: 'bun add --dev' } as const

/** Whether the golden of the example test exists. */
export function isExampleRecorded({ directory }: Project, agent: FoundAgent): boolean {
  return existsSync(path.join(directory, 'golden-traces', `${exampleName(agent)}.jsonl`))
}

/** Files are written in the agent's language. Its runner supports it with or without a `tsconfig.json`. */
function extensionOf({ isTypeScript }: Project, { module }: FoundAgent): 'ts' | 'js' {
  return isTypeScript || /\.[cm]?tsx?$/.test(module) ? 'ts' : 'js'
}

/** Returns a new config of a tool. */
function newConfig(tool: string, text: string, project: Project, agent: FoundAgent): FileChange {
  return { file: `${tool}.config.${project.isModule ? '' : 'm'}${extensionOf(project, agent)}`, status: 'created', text }
}

async function planConfig(project: Project, { agent }: Answers): Promise<FileChange> {
  const { directory } = project
  const [existing] = findConfigs(directory, 'goldenrun')
  if (existing === undefined) return newConfig('goldenrun', createConfig(agent), project, agent)
  const { config } = await loadConfig(directory)
  if (Object.hasOwn(config.agents ?? {}, agent.name)) return { file: existing, status: 'unchanged' }
  return { file: existing, status: 'manual', lines: [agentLine(agent)] }
}

async function planVitest(project: Project, { agent }: Answers): Promise<FileChange> {
  const { directory } = project
  // Vitest prefers its own config to Vite's.
  const [existing] = [...findConfigs(directory, 'vitest'), ...findConfigs(directory, 'vite')]
  if (existing === undefined) return newConfig('vitest', VITEST_CONFIG, project, agent)
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
  const advice = 'The example test runs without it. For golden traces as test files, and for -u, wrap the exported config:'
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

/** Returns the example test's file, relative to the project's folder. */
export function exampleFile(project: Project, agent: FoundAgent): string {
  const folder = ['test', 'tests', '__tests__'].find((candidate) => existsSync(path.join(project.directory, candidate))) ?? 'test'
  return `${folder}/${agent.name}.golden.test.${extensionOf(project, agent)}`
}

/** Ignores the runs and pages, and the folder to which Vitest copies a red golden's page. */
function planGitignore({ directory, repository }: Project, { runner }: Answers): FileChange {
  const folders = ['.goldenrun/', ...(runner === 'vitest' ? ['.vitest/'] : [])]
  const file = path.join(directory, '.gitignore')
  const [own, shared] = [file, path.join(repository, '.gitignore')].map((each) =>
    existsSync(each) ? readFileSync(each, 'utf8') : undefined,
  )
  const ignored = `${own}\n${shared}`.split('\n').map((line) =>
    line
      .trim()
      .replace(/^\/?(?:\*\*\/)?/, '')
      .replace(/\/?$/, '/'),
  )
  const missing = folders.filter((folder) => !ignored.includes(folder))
  if (missing.length === 0) return { file: '.gitignore', status: 'unchanged' }
  const text = own === undefined || own === '' || own.endsWith('\n') ? (own ?? '') : `${own}\n`
  return { file, status: own === undefined ? 'created' : 'edited', text: `${text}${missing.join('\n')}\n` }
}

function planWorkflow(project: Project, { runner }: Answers): FileChange {
  const { repository } = project
  const file = path.join(repository, '.github/workflows/goldenrun.yml')
  const text = createWorkflow({ project, runner, action: findAction(project), branch: mainBranch(repository) })
  if (!existsSync(file)) return { file, status: 'created', text }
  const existing = readFileSync(file, 'utf8')
  const folder = path.relative(repository, project.directory).replaceAll(path.sep, '/')
  // The user may have changed the workflow, which is fine. A workflow for another package lacks this folder.
  if (folder === '' || existing === text || existing.includes(`working-directory: ${folder}\n`)) return { file, status: 'unchanged' }
  const lines = text.split('\n')
  const fromAction = lines.slice(lines.findIndex((line) => line.includes('uses: ./')))
  return { file, status: 'manual', lines: fromAction.slice(0, 3) }
}

/** Returns the folder of the installed package, which is also a GitHub action, relative to the root of the repository. */
function findAction({ directory, repository }: Project): string | undefined {
  if (existsSync(path.join(repository, '.pnp.cjs'))) return undefined
  const installed = [directory, repository].find((folder) => existsSync(path.join(folder, 'node_modules/goldenrun')))
  return path.relative(repository, path.join(installed ?? repository, 'node_modules/goldenrun')).replaceAll(path.sep, '/')
}

/** Returns the current branch, if its name is that of a main branch. */
function mainBranch(repository: string): string {
  const head = path.join(repository, '.git/HEAD')
  const [, branch] = /refs\/heads\/(main|master|trunk|develop)\s*$/.exec(existsSync(head) ? readFileSync(head, 'utf8') : '') ?? []
  return branch ?? 'main'
}
