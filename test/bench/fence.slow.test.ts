import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { buildReference } from '../../bench/fence/build-reference.ts'
import { COUNTING, countCollections } from '../../bench/fence/count-collections.ts'
import type { Sample } from '../../bench/fence/figures.ts'
import { judge, type Samples, toRows } from '../../bench/fence/judge.ts'
import { estimate, lowerBound } from '../../bench/fence/lower-bound.ts'
import { readReference } from '../../bench/fence/reference.ts'
import { runNode } from '../../bench/fence/run-node.ts'
import { WORKLOADS } from '../../bench/fence/take-samples.ts'
import { createRandom } from '../support/random.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const meter = new URL('../../bench/fence/meter.ts', import.meta.url).href

/** Counts, in a process of its own, the bytes that a program's `work` allocates. The program is not TypeScript, and nothing else runs. */
async function count(program: string): Promise<{ readonly sample: Sample; readonly collections: number }> {
  const whole = `import { measure } from '${meter}'\n${program}\nconsole.log(JSON.stringify(await measure('bytes', work)))\nprocess.exit()`
  const { stdout, output } = await runNode([...COUNTING, '--input-type=module', '--eval', whole], { cwd: import.meta.dirname })
  return { sample: JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Sample, collections: countCollections(output) }
}

it('counts all bytes that are allocated, retained or not, on the heap and outside of it', async () => {
  const onHeap = await count(
    'let kept\nconst work = async () => { for (let index = 0; index < 10_000; index += 1) kept = new Array(125).fill(0) }',
  )
  expect(onHeap.collections).toBe(0)
  // 125 elements of 8 bytes, with a header of 16, and the array itself of 32.
  expect(onHeap.sample.agentsBytes).toBeGreaterThan(10_000 * 1048)
  expect(onHeap.sample.agentsBytes).toBeLessThan(10_000 * 1048 * 1.02)
  const outside = await count(
    'let kept\nconst work = async () => { for (let index = 0; index < 1000; index += 1) kept = new ArrayBuffer(50_000) }',
  )
  expect(outside.collections).toBe(0)
  expect(outside.sample.agentsBytes).toBeGreaterThan(1000 * 50_000)
  expect(outside.sample.agentsBytes).toBeLessThan(1000 * 50_000 * 1.02)
})

it('counts the bytes of another thread by themselves', async () => {
  const { sample, collections } = await count(`
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
const code = "const { parentPort } = require('node:worker_threads'); let kept; parentPort.on('message', () => { for (let index = 0; index < 10000; index += 1) kept = new Array(125).fill(0); parentPort.postMessage('done') })"
// As the recorder starts its own: without the arguments of the process.
const worker = new Worker(code, { eval: true, execArgv: [], env: {} })
await once(worker, 'online')
const work = async () => { worker.postMessage('go'); await once(worker, 'message') }`)
  expect(collections).toBe(0)
  expect(sample.writersBytes).toBeGreaterThan(10_000 * 1048)
  expect(sample.writersBytes).toBeLessThan(10_000 * 1048 * 1.02)
  expect(sample.agentsBytes).toBeLessThan(1_000_000)
})

it('notices a collection, after which bytes are not counted right', async () => {
  const { collections } = await count(
    'let kept\nconst work = async () => { for (let index = 0; index < 3000; index += 1) kept = new ArrayBuffer(50_000) }',
  )
  expect(collections).toBeGreaterThan(0)
})

// Hollander, Wolfe and Chicken, table A.4: the chance of a rank sum of at most 10 of ten pairs is 0.042, and of at most 11 it is 0.053.
it('bounds a ratio by the means of two pairs that the table of the signed-rank test names', () => {
  const ten = Array.from({ length: 10 }, (_, index) => Math.exp(index))
  // The 11th smallest of the means 0, 0.5, 1, 1, 1.5, 1.5, 2, 2, 2, 2.5, 2.5 …
  expect(Math.log(lowerBound(ten))).toBeCloseTo(2.5)
  expect(Math.log(estimate(ten))).toBeCloseTo(4.5)
  expect(lowerBound([1.1, 1.2, 1.3, 1.4, 1.5])).toBeCloseTo(1.1)
  expect(() => lowerBound([1, 1, 1, 1])).toThrow('A bound with 95 % needs at least five pairs, and there are 4.')
})

it('puts the bound above a true ratio at most one time in twenty, whatever wild pairs there are', () => {
  const random = createRandom('fence')
  const rounds = 2000
  let above = 0
  for (let round = 0; round < rounds; round += 1) {
    // Some pairs are disturbed by far more than the others, on either side.
    const noise = (): number => (random.next() - 0.5) * (random.next() < 0.2 ? 2 : 0.1)
    if (lowerBound(Array.from({ length: 12 }, () => 1.2 * Math.exp(noise()))) > 1.2) above += 1
  }
  expect(above / rounds).toBeLessThan(0.06)
})

const allowed = { 'replayed-step': { agentsBytes: 1.05, agentsCpu: { short: 1.15, long: 1.05 } } }

function verdicts(bytes: readonly number[], cpu: readonly number[], length: 'short' | 'long' = 'short'): (readonly [string, boolean])[] {
  const times = (values: readonly number[]): Sample[] => values.map((value) => ({ agentsCpu: value, wall: value }))
  const samples: Record<'bytes' | 'times', Samples> = {
    bytes: { reference: bytes.map(() => ({ agentsBytes: 1000 })), here: bytes.map((value) => ({ agentsBytes: value })) },
    times: { reference: times(cpu.map(() => 100)), here: times(cpu) },
  }
  return judge('replayed-step', samples, { allowed }, length).map(({ figure, isRed }) => [figure, isRed])
}

it('is red if the fewest bytes exceed what is allowed', () => {
  const calm = Array.from({ length: 10 }, () => 100)
  expect(verdicts([1051, 1300], calm)).toEqual([
    ['agentsBytes', true],
    ['agentsCpu', false],
    ['wall', false],
  ])
  expect(verdicts([1050, 1300], calm)).toEqual([
    ['agentsBytes', false],
    ['agentsCpu', false],
    ['wall', false],
  ])
})

it('is red if the lower bound of CPU time exceeds what is allowed, which is less in a long fence', () => {
  const slow = [130, 131, 129, 133, 127, 130, 132, 128, 90, 190]
  expect(verdicts([1000], slow)).toEqual([
    ['agentsBytes', false],
    ['agentsCpu', true],
    ['wall', false],
  ])
  const slower = [110, 111, 109, 113, 107, 110, 112, 108, 90, 190]
  expect(verdicts([1000], slower)).toEqual([
    ['agentsBytes', false],
    ['agentsCpu', false],
    ['wall', false],
  ])
  expect(verdicts([1000], slower, 'long')).toEqual([
    ['agentsBytes', false],
    ['agentsCpu', true],
    ['wall', false],
  ])
})

it('marks what is red in its table', () => {
  const samples = { reference: [{ agentsBytes: 1000 }], here: [{ agentsBytes: 1100 }] }
  const none = { reference: [], here: [] }
  expect(toRows(judge('replayed-step', { bytes: samples, times: none }, { allowed }, 'short'))).toEqual([
    ['workload', 'figure', 'reference', 'here', 'ratio', 'at least', 'allowed', ''],
    ['replayed-step', "bytes allocated, agents' thread", '1000', '1100', '1.100', '1.100', '1.05', 'RED'],
  ])
})

it('refuses a workload without limits, and a figure that only one build has', () => {
  const none = { reference: [], here: [] }
  expect(() => judge('other', { bytes: none, times: none }, { allowed }, 'short')).toThrow(
    'bench/reference.json allows nothing for the workload other. Add its limits to "allowed".',
  )
  const half = { reference: [{ agentsBytes: 1 }], here: [{}] }
  expect(() => judge('replayed-step', { bytes: half, times: none }, { allowed }, 'short')).toThrow(
    "Only one of the builds has bytes allocated, agents' thread in replayed-step.",
  )
})

it('has limits for each workload, and a history that ends with the reference', async () => {
  const reference = await readReference()
  expect(Object.keys(reference.allowed)).toEqual(WORKLOADS)
  for (const limits of Object.values(reference.allowed))
    expect(Object.keys(limits)).toEqual(expect.arrayContaining(['agentsBytes', 'agentsCpu', 'processCpu']))
  expect(reference.commit).toMatch(/^[\da-f]{40}$/)
  expect(reference.history.at(-1)?.commit).toBe(reference.commit)
})

/** Makes a repository whose package builds without dependencies. Returns the commit. */
function createRepository(folder: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  mkdirSync(folder)
  const build = `node -e "fs.mkdirSync('dist'); fs.writeFileSync('dist/index.js', 'built')"`
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'built', version: '1.0.0', scripts: { build } }))
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'built', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'built', version: '1.0.0' } } }),
  )
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  const first = git('rev-parse', 'HEAD')
  git('commit', '--quiet', '--allow-empty', '--message', 'second')
  return first
}

it('fetches the reference into a shallow clone, builds it once, and leaves nothing behind', async () => {
  await using directory = await createTemporaryDirectory()
  const origin = path.join(directory.path, 'origin')
  const commit = createRepository(origin)
  const repository = path.join(directory.path, 'clone')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${origin}`, repository], { stdio: 'pipe' })
  const keptIn = path.join(directory.path, 'kept')
  const built = buildReference(commit, { repository, keptIn })
  expect(built).toBe(path.join(keptIn, commit))
  const list = (folder: string): string[] => execFileSync('ls', ['-A', folder], { encoding: 'utf8' }).trim().split('\n')
  expect(list(built)).toEqual(['dist', 'package.json'])
  expect(list(keptIn)).toEqual([commit])
  // The second time it is there, even if the clone is not.
  expect(buildReference(commit, { repository: directory.path, keptIn })).toBe(built)
})

it('states why it cannot run if the reference cannot be fetched', async () => {
  await using directory = await createTemporaryDirectory()
  const repository = path.join(directory.path, 'origin')
  createRepository(repository)
  const missing = '0123456789012345678901234567890123456789'
  expect(() => buildReference(missing, { repository, keptIn: path.join(directory.path, 'kept') })).toThrow(
    `The fence cannot run: its reference, commit ${missing}, is not in this clone, and could not be fetched from origin.
  fatal: 'origin' does not appear to be a git repository
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
Fetch the whole history (git fetch --unshallow), or fetch the commit from a remote that has it: git fetch <remote> <commit>.`,
  )
})
