import { mkdir, readdir } from 'node:fs/promises'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { readTrace } from '../../src/replay.ts'
import { record } from '../support/recordings.ts'
import { dataOfPage } from '../support/page-data.ts'
import { type CommandResult, runCommand, spawnCommand } from '../support/run-command.ts'
import { createPastProject, type PastProject } from './past-code/past-project.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

/** The model knows what to do with the second prompt, and not with the first. */
let asked = 0
const provider = await startProvider({
  script({ system: [prompt = ''] }) {
    asked += 1
    return { text: prompt.includes('order first') ? 'Refunded.' : 'Which order?', usage: { inputTokens: 30, outputTokens: 3 } }
  },
})
afterAll(() => provider.close())
vi.stubEnv('OPENAI_API_KEY', 'sk-test')
vi.stubEnv('CI', '')

const agentWith = (prompt: string): string => `export async function support(input) {
  const response = await fetch(${JSON.stringify(`${provider.openaiBaseUrl}/chat/completions`)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: \`Bearer \${process.env.OPENAI_API_KEY}\` },
    body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'system', content: ${JSON.stringify(prompt)} }, { role: 'user', content: input.ticket }] }),
  })
  const { choices } = await response.json()
  return choices[0].message.content
}
`
const old = agentWith('You help customers.')
const fixed = agentWith('Look up the order first.')
const checked = ['--check', 'toHaveOutcome({"status":"returned","output":"Refunded."})']

let project: PastProject
beforeEach(async () => {
  project = await createPastProject()
  await project.write('agent.ts', old)
  await project.write('goldenrun.config.ts', `export default { agents: { support: './agent.ts#support' } }\n`)
  await mkdir(project.resolve('golden-traces'), { recursive: true })
  const { support } = (await import(project.resolve('agent.ts'))) as { support: (input: { ticket: string }) => Promise<string> }
  await record(project.resolve('.goldenrun/runs'), { agent: 'support', input: { ticket: 'a refund, please' } }, support)
  const promoted = await runCommand(project.path, ['promote', 'latest', '--name', 'refund', '--yes', '--no-replay'])
  expect(promoted.status, promoted.stderr).toBe(0)
  await project.commit('An agent')
  await project.write('agent.ts', fixed)
  return async () => await project[Symbol.asyncDispose]()
})

const verify = (...args: readonly string[]): Promise<CommandResult> => runCommand(project.path, ['verify', 'refund', ...args])

it('says whether a changed prompt holds, and calls nobody the second time', async () => {
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
  await project.write('agent.ts', agentWith('You help customers. Be quick.'))
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
  await project.write('agent.ts', agentWith('You help customers. Be quick.'))
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
  expect(await runCommand(project.path, ['replay', 'refund'])).toMatchObject({ status: 0, stdout: '1 trace replayed: 1 held.\n' })
  expect(asked).toBe(before)
  const { header } = await readTrace(project.resolve('golden-traces/refund.jsonl'))
  expect(header).toMatchObject({
    golden: { name: 'refund', expect: { replay: 'same' } },
    forkedFrom: { routes: { 2: 'live' } },
  })
  await project.write('agent.ts', old)
  // In a process of its own, which loads the agent again.
  expect((await spawnCommand(project.path, ['replay', 'refund'])).status).toBe(1)
})

it('keeps nothing of a prompt that does not hold', async () => {
  await project.write('agent.ts', agentWith('You help customers. Be quick.'))
  const before = await project.read('golden-traces/refund.jsonl')
  const { stdout } = await verify(...checked, '--accept')
  expect(stdout).not.toContain('Kept as')
  expect(await project.read('golden-traces/refund.jsonl')).toBe(before)
})

it('compares with the code of a commit, from the same step on', async () => {
  const { status, stdout, stderr } = await spawnCommand(project.path, ['verify', 'refund', ...checked, '--base', 'HEAD'], {
    ...project.env,
    OPENAI_API_KEY: 'sk-test',
    CI: '',
  })
  expect(stderr).toBe('')
  expect(stdout).toContain('20 of 20 samples passed')
  expect(stdout).toContain('  With the code of HEAD: 0 of 20 passed.\n')
  // Newcombe (1998), method 10: 1 - √2 × 0.1611, as the Wilson interval of 20 of 20 is 0.8389 to 1.
  expect(stdout).toContain('  Difference: +100 percentage points, 95 % interval +77 to +100: better.\n')
  expect(status).toBe(0)
  expect(project.leftovers()).toEqual([])
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
