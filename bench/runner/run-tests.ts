import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VitestProject } from '../../test/support/vitest-workspace.ts'
import { median } from '../rounds.ts'

/** How test files are run. */
export type Workers =
  /** One after the other, each in its own worker. */
  | 'a worker each'
  /** One after the other in one worker. */
  | 'one worker'
  /** As Vitest does by default: a worker each, as many at once as there are processors. */
  | 'as Vitest does'

/** The times of a test run, in milliseconds. */
export interface TestTimes {
  /** All files, without the start of Vitest. */
  readonly all: number
  /** One file, from the end of the previous file to its own end: the median, without files that load what is loaded once. */
  readonly file: number
  /** CPU time from the start of a worker to the end of its file: the median. Meaningful only if each file has its own worker. */
  readonly cpu: number
  /** The agent's own work, as a test reports it: the median. NaN if no test reports any. */
  readonly agent: number
}

interface Told {
  readonly files: readonly { readonly at: number; readonly state: string; readonly agentMs?: number }[]
  readonly took: number
}

const OPTIONS: Readonly<Record<Workers, readonly string[]>> = {
  'a worker each': ['--no-file-parallelism'],
  'one worker': ['--no-file-parallelism', '--no-isolate'],
  'as Vitest does': [],
}

const reporter = fileURLToPath(new URL('tell-times.mjs', import.meta.url))

/**
 * Runs a project's tests once, with the real Vitest.
 *
 * @param more Further arguments of Vitest.
 * @throws Error with Vitest's output if a test failed: a failing test ends sooner.
 */
export async function runTests(project: VitestProject, workers: Workers, more: readonly string[] = []): Promise<TestTimes> {
  const file = path.join(project.path, 'times.json')
  const args = ['run', ...OPTIONS[workers], ...more, '--reporter', reporter]
  const cpuFile = path.join(project.path, 'cpu.txt')
  await rm(cpuFile, { force: true })
  const { status, output } = await project.vitest(args, { TOLD_TIMES: file, TOLD_CPU: cpuFile })
  if (status !== 0) throw new Error(`The measured tests failed:\n${output}`)
  const { files, took } = JSON.parse(await readFile(file, 'utf8')) as Told
  // A worker's first files load what is loaded once, and run code that is not optimized yet.
  const first = Math.min(files.length - 1, workers === 'one worker' ? 10 : 1)
  const gaps = files.slice(first).map(({ at }, index) => at - (files[first + index - 1]?.at ?? 0))
  const agent = files.slice(first).flatMap(({ agentMs }) => (agentMs === undefined ? [] : [agentMs]))
  const cpu = (await readFile(cpuFile, 'utf8')).trim().split('\n').map(Number)
  return { all: took, file: median(gaps), cpu: median(cpu), agent: median(agent) }
}
