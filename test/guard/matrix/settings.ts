import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs')
const jest = path.join(repository, 'node_modules/jest/bin/jest.js')

/** How a golden is replayed. */
export interface Setting {
  readonly name: string
  /** The arguments for Node, in a project of the matrix; trials are called by their ids. */
  readonly command: (ids: readonly string[], resultFile: string) => readonly string[]
  /** Whether trials that do not wait are part of it: a golden file takes a process of its own. */
  readonly isWhole: boolean
  /** How many trials share a process. */
  readonly perProcess: number
  /** The trials that are green, of what was printed or written. */
  readonly green: (result: unknown) => readonly string[]
  /** All that it came to. */
  readonly ran: (result: unknown) => readonly string[]
}

interface RunnerResult {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}
interface CommandResult {
  readonly traces: readonly { readonly name: string; readonly status: string }[]
}

const ofTests = (result: unknown, isGreen: boolean): string[] =>
  (result as RunnerResult).testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => !isGreen || status === 'passed').map(({ title }) => title),
  )
const ofGoldens = (result: unknown, isGreen: boolean): string[] =>
  (result as RunnerResult).testResults
    .filter(({ assertionResults }) => !isGreen || assertionResults.some(({ status }) => status === 'passed'))
    .map(({ name }) => path.basename(name, '.jsonl'))
const ofCommand = (result: unknown, isGreen: boolean): string[] =>
  (result as CommandResult).traces.filter(({ status }) => !isGreen || status === 'held').map(({ name }) => name)

/** A golden file, the command line, and a test of one's own in both runners. */
export const settings: readonly Setting[] = [
  {
    name: 'golden file',
    // Files share a process: one of its own for each takes most of an hour, and what is refused does not depend on it.
    command: (ids, file) => [
      vitest,
      'run',
      '--no-isolate',
      '--reporter=json',
      `--outputFile=${file}`,
      ...ids.map((id) => `golden-traces/${id}.jsonl`),
    ],
    isWhole: false,
    perProcess: 20,
    green: (result) => ofGoldens(result, true),
    ran: (result) => ofGoldens(result, false),
  },
  {
    name: 'goldenrun replay',
    command: (ids) => ['--import', './setup.mjs', '../node_modules/goldenrun/dist/cli.js', 'replay', '--json', ...ids],
    isWhole: true,
    perProcess: 20,
    green: (result) => ofCommand(result, true),
    ran: (result) => ofCommand(result, false),
  },
  {
    name: 'Vitest test',
    command: (_ids, file) => [vitest, 'run', '--reporter=json', `--outputFile=${file}`, 'hand.test'],
    isWhole: true,
    perProcess: 20,
    green: (result) => ofTests(result, true),
    ran: (result) => ofTests(result, false),
  },
  {
    name: 'Jest test',
    command: (_ids, file) => [
      '--experimental-vm-modules',
      jest,
      '--config',
      'jest.config.cjs',
      '--runInBand',
      '--forceExit',
      '--json',
      `--outputFile=${file}`,
    ],
    isWhole: true,
    perProcess: 20,
    green: (result) => ofTests(result, true),
    ran: (result) => ofTests(result, false),
  },
]

/** Takes trials in a setting, in one process of a project, and reads what it came to. */
export async function runSetting(node: string, folder: string, { name, command }: Setting, ids: readonly string[]): Promise<unknown> {
  const file = `result-${ids[0]}.json`
  const { stdout, stderr } = await runProgram(node, folder, command(ids, file), 400_000, {
    WAYS_ONLY: ids.join(' '),
  })
  const text = await readFile(path.join(folder, file), 'utf8').catch(() => stdout)
  await rm(path.join(folder, file), { force: true })
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} came to nothing that can be read, of ${ids.join(', ')}:\n${text.slice(-1500)}\n${stderr.slice(-3000)}`)
  }
}

/** Runs a program of a project in a process that knows nothing of the one that starts it. */
export function runProgram(
  node: string,
  folder: string,
  command: readonly string[],
  timeout: number,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...command], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', reject).once('exit', () => setTimeout(() => resolve({ stdout, stderr }), 50))
  })
}
