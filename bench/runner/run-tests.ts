import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VitestProject } from '../../test/support/vitest-workspace.ts'
import { median } from '../rounds.ts'

/** How test files are run. */
export type Workers =
  /** One after the other, each in a worker of its own. */
  | 'a worker each'
  /** One after the other in one worker. */
  | 'one worker'
  /** As Vitest runs them by itself: a worker each, as many at once as there are processors for. */
  | 'as Vitest does'

/** What a run of the tests took, in milliseconds. */
export interface TestTimes {
  /** All of them, without the start of Vitest. */
  readonly all: number
  /** A file, from when the one before it was through until it was: median, without those before which something is loaded once. */
  readonly file: number
  /** Of the processor, from the start of a worker until its file was through: median. Says something of files with a worker each only. */
  readonly cpu: number
  /** What a test has said of the agent's own work in it: median. NaN where none has. */
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
 * @param more Further arguments of Vitest's.
 * @throws Error with what Vitest printed, where a test failed: what fails is done sooner.
 */
export async function runTests(project: VitestProject, workers: Workers, more: readonly string[] = []): Promise<TestTimes> {
  const file = path.join(project.path, 'times.json')
  const args = ['run', ...OPTIONS[workers], ...more, '--reporter', reporter]
  const cpuFile = path.join(project.path, 'cpu.txt')
  await rm(cpuFile, { force: true })
  const { status, output } = await project.vitest(args, { TOLD_TIMES: file, TOLD_CPU: cpuFile })
  if (status !== 0) throw new Error(`The tests that are measured failed:\n${output}`)
  const { files, took } = JSON.parse(await readFile(file, 'utf8')) as Told
  // The first files of a worker load what is loaded once, and run code that nothing has optimised yet.
  const first = Math.min(files.length - 1, workers === 'one worker' ? 10 : 1)
  const gaps = files.slice(first).map(({ at }, index) => at - (files[first + index - 1]?.at ?? 0))
  const agent = files.slice(first).flatMap(({ agentMs }) => (agentMs === undefined ? [] : [agentMs]))
  const cpu = (await readFile(cpuFile, 'utf8')).trim().split('\n').map(Number)
  return { all: took, file: median(gaps), cpu: median(cpu), agent: median(agent) }
}
