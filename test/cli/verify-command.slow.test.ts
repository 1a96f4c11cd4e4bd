import { readdir } from 'node:fs/promises'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { readTrace } from '../../src/replay.ts'
import { dataOfPage } from '../support/page-data.ts'
import { type CommandResult, runCommand, spawnCommand } from '../support/run-command.ts'
import type { PastProject } from './past-code/past-project.ts'
import { agentWith, checked, createVerifyProject, startKnowingModel } from './verify-project.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

let asked = 0
const provider = await startKnowingModel(() => (asked += 1))
afterAll(() => provider.close())
vi.stubEnv('OPENAI_API_KEY', 'sk-test')
vi.stubEnv('CI', '')

let project: PastProject
beforeEach(async () => {
  project = await createVerifyProject(provider)
  return async () => await project[Symbol.asyncDispose]()
})

const verify = (...args: readonly string[]): Promise<CommandResult> => runCommand(project.path, ['verify', 'refund', ...args])

it('tells whether a changed prompt holds, and makes no call the second time', async () => {
  const { status, stdout, stderr } = await verify(...checked, '--concurrency', '1')
  expect(stdout).toBe(`refund: held
  Departs from the recorded run at step 1.
  12 of 12 samples passed: 100 %, 95 % interval 76 % to 100 %.
  All of k samples pass: pass^2 100 %, pass^4 100 %, pass^8 100 %.
  12 live calls, 396 tokens.
`)
  expect([status, stderr]).toEqual([0, ''])
  const before = asked
  const again = await verify(...checked, '--concurrency', '1')
  expect(again.stdout).toContain('0 live calls, 12 from the cache.')
  expect(asked).toBe(before)
})

it('says why one does not hold, as text and as data', async () => {
  await project.write('agent.ts', agentWith(provider, 'You help customers. Be quick.'))
  const { status, stdout } = await verify(...checked, '--concurrency', '1')
  expect(stdout).toContain('refund: not held\n')
  expect(stdout).toContain('0 of 3 samples passed: 0 %')
  expect(stdout).toContain('  3 × Failed the check toHaveOutcome({"status":"returned","output":"Refunded."}).\n')
  expect(status).toBe(1)
  const { results } = JSON.parse((await verify(...checked, '--json')).stdout) as { results: object[] }
  expect(results).toMatchObject([
    { status: 'not held', name: 'refund', passed: 0, samples: [{ result: 'failed' }, { result: 'failed' }, { result: 'failed' }] },
  ])
})

it('writes a page of each sample with --html', async () => {
  const { stdout } = await verify(...checked, '--concurrency', '1', '--html', 'samples')
  expect(stdout).toContain('\n  To see the samples: samples/refund.sample-1.html to samples/refund.sample-12.html\n')
  const pages = await readdir(project.resolve('samples'))
  expect(pages.toSorted()).toEqual(Array.from({ length: 12 }, (_, index) => `refund.sample-${index + 1}.html`).toSorted())
  const page = dataOfPage(await project.read('samples/refund.sample-12.html'))
  expect(page.runs.map(({ name }) => name)).toEqual(['refund', expect.stringMatching(/^\d{8}-/)])
  expect(page.comparisons).toMatchObject([{ kind: 'run', verdict: { status: 'passed', advice: [] } }])
  expect(page.comparisons[0]?.verdict.divergences[0]).toMatchObject({ cause: 'input', step: 1, parts: ['system-prompt'] })
})

it('says on the page of a sample why it failed, and removes pages of an earlier command', async () => {
  await project.write('samples/refund.sample-9.html', 'old')
  await project.write('agent.ts', agentWith(provider, 'You help customers. Be quick.'))
  const { results } = JSON.parse((await verify(...checked, '--concurrency', '1', '--html', 'samples', '--json')).stdout) as {
    results: { samples: { page: string }[] }[]
  }
  const red = [1, 2, 3].map((number) => `samples/refund.sample-${number}.html`)
  expect(results[0]?.samples.map(({ page: file }) => file)).toEqual(red)
  expect(await readdir(project.resolve('samples'))).toHaveLength(3)
  expect(dataOfPage(await project.read('samples/refund.sample-1.html')).comparisons[0]?.verdict).toMatchObject({
    status: 'failed',
    explanation: expect.stringContaining('Failed the check toHaveOutcome({"status":"returned","output":"Refunded."}).'),
  })
})

it('is undecided without a key, and in CI skips it and says so', async () => {
  const before = asked
  vi.stubEnv('OPENAI_API_KEY', '')
  try {
    const { status, stdout } = await verify('--samples', '2')
    expect(stdout).toContain('refund: undecided\n')
    expect(stdout).toContain('The API key in its authorization is a stand-in')
    expect(status).toBe(2)
    const inCI = await runCommand(project.path, ['verify', 'refund', '--samples', '2'], { CI: 'true' })
    expect(inCI.stdout).toBe(
      'refund: skipped\n  Not verified: the environment has no API key for the provider. To verify it in CI, give this job the key.\n',
    )
    expect(inCI.status).toBe(0)
  } finally {
    vi.stubEnv('OPENAI_API_KEY', 'sk-test')
  }
  expect(asked).toBe(before)
})

it('keeps a sample that passed as the golden, which then replays without a model', async () => {
  const { stdout } = await verify(...checked, '--accept')
  expect(stdout).toContain('  Kept as golden-traces/refund.jsonl: from now on, a replay guards it.\n')
  const before = asked
  const { status, stdout: replayed } = await runCommand(project.path, ['replay', 'refund'])
  expect(status).toBe(0)
  expect(replayed).toMatch(/(?:^|\n\n)1 trace replayed: 1 held\.\n$/)
  expect(asked).toBe(before)
  const { header } = await readTrace(project.resolve('golden-traces/refund.jsonl'))
  expect(header).toMatchObject({
    golden: { name: 'refund', expect: { replay: 'same' } },
    forkedFrom: { routes: { 2: 'live' } },
  })
  await project.write('agent.ts', agentWith(provider, 'You help customers.'))
  // In a process of its own, which loads the agent again.
  expect((await spawnCommand(project.path, ['replay', 'refund'])).status).toBe(1)
})

it('keeps nothing of a prompt that does not hold', async () => {
  await project.write('agent.ts', agentWith(provider, 'You help customers. Be quick.'))
  const before = await project.read('golden-traces/refund.jsonl')
  const { stdout } = await verify(...checked, '--accept')
  expect(stdout).not.toContain('Kept as')
  expect(await project.read('golden-traces/refund.jsonl')).toBe(before)
})

it.each([
  [['--at-least', '2'], 'a number above 0 and at most 1'],
  [['--samples', '0'], 'a whole number of 1 or more'],
  [['--budget', '1usd'], 'budget.prices'],
  [['--install'], '--install requires --base'],
  [['--check', 'toBeNice'], 'a matcher with its arguments'],
])('refuses %j', async (args, message) => {
  const { status, stdout, stderr } = await verify(...args)
  expect(stdout + stderr).toContain(message)
  expect(status).toBe(2)
})
