import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { findAgent } from '../config/agent-reference.ts'
import { loadConfig } from '../config/load-config.ts'
import { displayPath } from '../node/display-path.ts'
import { writingNow } from '../node/write-failure.ts'
import { makeDirectory } from '../stores/make-directory.ts'
import { COULD_NOT_RUN } from './exit-status.ts'
import { answerByFinding, askAnswers, type ConfiguredAgent, confirmChanges, type GivenAnswers } from './init/ask.ts'
import {
  type Answers,
  exampleFile,
  type FileChange,
  isExampleRecorded,
  missingPackages,
  nextSteps,
  planChanges,
} from './init/file-changes.ts'
import { findAgents } from './init/find-agents.ts'
import { findProject, initError, type Project, testCommandOf } from './init/project.ts'
import { jsonOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { spawnSync } from 'node:child_process'

const EXAMPLES = `
Examples:
  $ npx goldenrun init
  $ npx goldenrun init --yes --agent ./src/agent.ts#supportAgent --input '{ "ticket": "Where is my order?" }' --ci github

It is safe to run again: it only adds what is missing.`

/** `goldenrun init` */
export function addInitCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  program
    .command('init')
    .summary('set up a project: config, test runner, example test, CI')
    .description(
      "Writes goldenrun.config.ts, adds goldenrun to the test runner's config, and writes an example test; with --ci github, also a workflow. " +
        'Asks for what it cannot find. Never replaces a file: where one cannot be edited safely, it prints the lines to add.',
    )
    .addOption(new Option('--runner <name>', 'the test runner (default: the one in package.json)').choices(['vitest', 'jest']))
    .option('--agent <module#export>', 'the agent, such as ./src/agent.ts#supportAgent (default: the exported function named like one)')
    .option('--input <json>', "the agent's input in the example test", parseInput)
    .addOption(new Option('--ci <name>', 'write a workflow for this CI service (default: none)').choices(['github', 'none']))
    .option('--record', 'run the example test live once, to record its golden trace')
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: InitOptions) => {
      const project = findProject(process.cwd())
      const answers = await answer(project, options, terminal)
      const changes = answers && (await planChanges(project, answers))
      if (answers === undefined || changes === undefined || !(await isConfirmed(changes, options, terminal))) {
        terminal.printError('Nothing was written.')
        return onStatus(COULD_NOT_RUN)
      }
      for (const change of changes) write(change)
      if (options.json !== true) terminal.print(formatChanges(changes, terminal).join('\n'))
      const isReady = isComplete(project, answers, changes)
      const failsToRecord = options.record === true && !(isReady && recordExample(project, answers, options.json === true))
      if (options.record === true && !isReady) terminal.printError('Not recorded: the setup is not complete yet.')
      const next = nextSteps(project, answers)
      if (options.json === true) terminal.printJson({ changes: changes.map(toJson), next })
      else if (next.length > 0) terminal.print(['', terminal.colors.bold('Next:'), ...next.map((line) => `  ${line}`)].join('\n'))
      if (failsToRecord) onStatus(COULD_NOT_RUN)
    })
}

/** Whether the example test can run without anything left to do by hand. */
function isComplete(project: Project, answers: Answers, changes: readonly FileChange[]): boolean {
  const example = path.resolve(project.directory, exampleFile(project, answers.agent))
  const hasInput = answers.input !== undefined || changes.some(({ file, status }) => file === example && status === 'unchanged')
  return missingPackages(project, answers).length === 0 && changes.every(({ status }) => status !== 'manual') && hasInput
}

interface InitOptions extends GivenAnswers {
  readonly record?: true
  readonly yes?: true
  readonly json?: true
}

async function answer(project: Project, options: InitOptions, { isInteractive }: Terminal): Promise<Answers | undefined> {
  const configured = await findConfigured(project)
  if (options.yes === true) return answerByFinding(project, options, configured)
  if (options.json !== true && isInteractive) return askAnswers(project, options, configured)
  const reason = options.json === true ? '--json prints only the result and cannot ask' : 'there is no terminal to prompt in'
  throw initError(`Nothing was set up: ${reason}. To set up without prompts: --yes, with --runner, --agent, --input and --ci`)
}

/** Returns the agent of an existing config, so that setting up again uses the same agent. */
async function findConfigured({ directory }: Project): Promise<ConfiguredAgent> {
  const { config, file } = await loadConfig(directory)
  const [name, ...others] = Object.keys(config.agents ?? {})
  if (name === undefined || others.length > 0 || file === undefined || path.dirname(file) !== directory) return undefined
  const reference = findAgent(config, name)
  const known = findAgents(directory).find(({ module, exported }) => module === reference?.module && exported === reference.exported)
  return reference && { name, ...reference, isCommonJs: known?.isCommonJs ?? false }
}

async function isConfirmed(changes: readonly FileChange[], { yes }: InitOptions, terminal: Terminal): Promise<boolean> {
  if (yes === true || changes.every(({ text }) => text === undefined)) return true
  terminal.print(formatTable(['', ''], changes.map(toRow)).slice(1).join('\n'))
  return await confirmChanges()
}

function write({ file, text }: FileChange): void {
  if (text === undefined) return
  writingNow(file, () => {
    makeDirectory(path.dirname(file))
    writeFileSync(file, text)
  })
}

function formatChanges(changes: readonly FileChange[], { colors }: Terminal): string[] {
  const manual = changes.filter(({ lines }) => lines !== undefined)
  const isDone = changes.every(({ status }) => status === 'unchanged')
  return [
    ...formatTable(['', ''], changes.map(toRow)).slice(1),
    ...manual.flatMap(({ file, lines = [], advice = 'Add to it:' }) => [
      '',
      colors.yellow(`${displayPath(file)} cannot be edited safely. ${advice}`),
      ...lines.map((line) => `  ${line}`),
    ]),
    ...(isDone ? ['', 'Nothing to do: goldenrun is already set up here.'] : []),
  ]
}

function toRow({ status, file }: FileChange): string[] {
  return [status === 'manual' ? 'to do' : status, displayPath(file)]
}

function toJson({ file, status, lines }: FileChange): object {
  return { file: displayPath(file), status, ...(lines === undefined ? {} : { lines }) }
}

function parseInput(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(`It has to be JSON (${(error as Error).message}).`)
  }
  return text
}

/**
 * Runs the example test live with the project's own runner, which records its golden. The runner's output is shown.
 *
 * @param isQuiet Whether to keep the runner's output off standard output.
 * @returns Whether the golden now exists.
 */
function recordExample(project: Project, { runner, agent }: Answers, isQuiet: boolean): boolean {
  if (isExampleRecorded(project, agent)) return true
  const separator = /^npm (?:test|run)/.test(testCommandOf(project, runner)) ? '-- ' : ''
  const command = `${testCommandOf(project, runner).replace(/\bnpx\b/, 'npx --no-install')} ${separator}${exampleFile(project, agent)}`
  spawnSync(command, {
    cwd: project.directory,
    env: { ...process.env, GOLDENRUN: 'record' },
    // On Windows these commands are scripts.
    shell: true,
    stdio: ['ignore', isQuiet ? process.stderr.fd : 'inherit', 'inherit'],
  })
  return isExampleRecorded(project, agent)
}
