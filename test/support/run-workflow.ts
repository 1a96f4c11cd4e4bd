import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'yaml'
import type { CommandResult } from './run-command.ts'

/** A step of a workflow or of a composite action. */
export interface WorkflowStep {
  readonly id?: string
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, string | number>>
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

/** What of a composite action is run here. */
export interface CompositeAction {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly WorkflowStep[] }
}

/** What came of a job, or of an action. */
export interface JobResult {
  readonly status: number
  /** What its steps printed. */
  readonly output: string
  /** What was written to the job's summary, and the outputs of the last step that has any. */
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
}

/**
 * Runs the steps of a workflow's only job, as GitHub's runner does, in a folder that is checked out: those that are commands, by its own bash
 * options, and those of actions that lie in the folder. Actions of others (a checkout, Node, an upload) are left out. A step that fails ends it.
 */
export async function runWorkflow(folder: string, file: string, env: Readonly<Record<string, string>>): Promise<JobResult> {
  const { jobs } = parse(await readFile(path.join(folder, file), 'utf8')) as { jobs: Record<string, { steps: readonly WorkflowStep[] }> }
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  return await inJob(folder, env, async (run) => {
    for (const { uses, with: inputs = {}, ...step } of steps) {
      if (uses?.startsWith('./') === true) await runAction(path.join(folder, uses), inputs, run)
      else if (uses === undefined) await run(step, {})
    }
  })
}

/** Runs the steps of a composite action in a folder. */
export async function runCompositeAction(
  action: string,
  folder: string,
  inputs: Readonly<Record<string, string | number>>,
  env: Readonly<Record<string, string>>,
): Promise<JobResult> {
  return await inJob(folder, env, (run) => runAction(action, inputs, run))
}

type RunStep = (step: WorkflowStep, inputs: Readonly<Record<string, string>>) => Promise<void>

/** Where an upload of the job can be downloaded. */
export const UPLOADED = 'https://github.example/artifacts/1'

async function runAction(action: string, given: Readonly<Record<string, string | number>>, run: RunStep): Promise<void> {
  const { inputs, runs } = parse(await readFile(path.join(action, 'action.yml'), 'utf8')) as CompositeAction
  const unknown = Object.keys(given).filter((name) => !(name in inputs))
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join(', ')}.`)
  const values = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, String(given[name] ?? input.default ?? '')]))
  let failure: unknown
  for (const step of runs.steps) {
    // A step that failed ends an action, but for what asks to be run in any case.
    if (failure !== undefined && step.if?.includes('!cancelled()') !== true) continue
    try {
      await run(step, values)
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}

class StepFailed extends Error {}

async function inJob(folder: string, env: Readonly<Record<string, string>>, body: (run: RunStep) => Promise<void>): Promise<JobResult> {
  const files = await mkdtemp(path.join(tmpdir(), 'goldenrun-job-'))
  const [summary, outputs, script] = ['summary', 'outputs', 'script.sh'].map((name) => path.join(files, name)) as [string, string, string]
  await writeFile(summary, '')
  await writeFile(outputs, '')
  let [status, output] = [0, '']
  const readOutputs = async (): Promise<Record<string, string>> => {
    const lines = (await readFile(outputs, 'utf8')).split('\n').filter((line) => line !== '')
    return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  }
  const run: RunStep = async (step, inputs) => {
    const known = await readOutputs()
    const [, needed] = /steps\.[\w-]+\.outputs\.([\w-]+) != ''/.exec(step.if ?? '') ?? []
    if (needed !== undefined && (known[needed] ?? '') === '') return
    if (step.uses?.startsWith('actions/upload-artifact@') === true) return await appendFile(outputs, `artifact-url=${UPLOADED}\n`)
    const evaluate = (text: string): string =>
      text.replaceAll(
        /\$\{\{\s*(?:inputs\.([\w-]+)|steps\.[\w-]+\.outputs\.([\w-]+)|(github\.workspace))\s*\}\}/g,
        (_, input?: string, told?: string) =>
          input !== undefined ? (inputs[input] ?? '') : told !== undefined ? (known[told] ?? '') : folder,
      )
    await writeFile(script, evaluate(step.run ?? ''))
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, evaluate(value)])
    const result = await bash(script, path.resolve(folder, evaluate(step['working-directory'] ?? '.')), {
      ...env,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: outputs,
      ...(Object.fromEntries(own) as Record<string, string>),
    })
    output += result.stdout
    status ||= result.status
    if (result.status !== 0) throw new StepFailed()
  }
  try {
    await body(run).catch((error: unknown) => {
      if (!(error instanceof StepFailed)) throw error
    })
    return {
      status,
      output,
      summary: await readFile(summary, 'utf8'),
      outputs: await readOutputs(),
    }
  } finally {
    await rm(files, { recursive: true, force: true })
  }
}

/** With the options that GitHub gives to `shell: bash`; both streams in one. */
function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<CommandResult> {
  const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', 'exec 2>&1; . "$0"', script]
  return new Promise((resolve) => {
    const child = execFile('bash', options, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr })
    })
    child.stdin?.end()
  })
}
