import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { dataOfPage } from '../support/page-data.ts'
import { type CommandResult, runCommand } from '../support/run-command.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

// Agents are loaded, one after another.
vi.setConfig({ testTimeout: 120_000 })

let workspace: VitestWorkspace
let project: VitestProject
let asked = 0
const provider = await startProvider({ script: ({ model }) => ({ text: `${model} ${(asked += 1)}` }) })
// The agent reads them when it is loaded.
vi.stubEnv('OPENAI_API_KEY', 'sk-test')
vi.stubEnv('OPENAI_BASE_URL', provider.openaiBaseUrl)

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  const { 'vitest.config.ts': _, ...files } = await supportProject()
  project = await workspace.project(files)
}, 60_000)

afterAll(async () => {
  await provider.close()
  await workspace[Symbol.asyncDispose]()
})

const goldenrun = (...args: readonly string[]): Promise<CommandResult> => runCommand(project.path, args)
const keptIn = ({ stdout }: CommandResult): string => /Saved as (\S+)\./.exec(stdout)?.[1] ?? ''

it('continues with a different answer, and saves the fork where other commands find it', async () => {
  const forked = await goldenrun('fork', 'cancel-unshipped', '--at', 'turn:3', '--answer', '"Done, and goodbye."')
  expect(forked).toMatchObject({ status: 0, stderr: '' })
  expect(forked.stdout.replace(keptIn(forked), '<id>').replace(keptIn(forked), '<id>')).toBe(`4 steps as recorded, then:
STEP  ROUTE    BOUNDARY  CALL                                    RESULT
   7  sandbox  model     openai.chat (gpt-4.1-mini, 5 messages)  "Done, and goodbye."

Returned {"reply":"Done, and goodbye."}

Saved as <id>. To show it: npx goldenrun show <id>
`)
  const id = keptIn(forked)
  const shown = await goldenrun('show', id)
  expect(shown.stdout).toContain('Returned {"reply":"Done, and goodbye."}')
  // The same agent replays it; a golden of the run that it was forked from differs.
  expect(await goldenrun('replay', id)).toMatchObject({ status: 0, stdout: '1 trace replayed: 1 held.\n' })
  expect((await goldenrun('diff', 'cancel-unshipped', id)).status).toBe(1)
})

it('writes a page that compares forks with the run with --html', async () => {
  const priced = "defineConfig({ prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } },"
  await project.edit('goldenrun.config.ts', 'defineConfig({', priced)
  const forked = await goldenrun('fork', 'cancel-unshipped', '--at', 'turn:3', '--answer', '"Done."', '--no-keep', '--html', 'forks.html')
  await project.edit('goldenrun.config.ts', priced, 'defineConfig({')
  expect(forked).toMatchObject({ status: 0, stdout: expect.stringMatching(/\nTo compare them with the run: forks\.html\n$/) })
  const html = await project.read('forks.html')
  expect(html).toContain('<title>Forks of cancel-unshipped · goldenrun</title>')
  // The fork was not kept: no command finds it.
  const page = dataOfPage(html)
  expect(page.comparisons.map(({ verdict }) => [verdict.status, verdict.advice])).toEqual([['different', []]])
  expect(page.prices).toEqual({ 'gpt-4.1-mini': { input: 0.4, output: 1.6 } })
})

it('fails a call of a tool, and says what stopped the agent', async () => {
  const forked = await goldenrun('fork', 'cancel-unshipped', '--at', 'tool:cancel_order', '--error', 'the desk is closed', '--no-keep')
  expect(forked.status).toBe(1)
  expect(forked.stdout).toMatch(/^ +5 {2}sandbox {2}tool .*throws Error: the desk is closed$/m)
  expect(forked.stdout).toContain(
    `Stopped at a call of openai.chat. The recorded run has no answer for a call of openai.chat with this input. Give an answer for openai.chat under "answers" (in goldenrun.config.ts: under "sandbox", with --then sandbox), or call models live: then: 'live' (--then live).`,
  )
  expect(forked.stdout).not.toContain('Saved as')
})

it('fails a call of a model', async () => {
  const forked = await goldenrun('fork', 'cancel-unshipped', '--at', 'turn:3', '--error', 'the line is dead', '--no-keep')
  expect(forked.stdout).toMatch(/^ +7 {2}sandbox +model .*throws Error: the line is dead$/m)
})

it('refuses an answer that no server can give, and says what to give', async () => {
  const forked = await goldenrun('fork', 'cancel-unshipped', '--at', 'turn:3', '--answer', '{"status":999,"json":{}}', '--no-keep')
  expect(forked).toMatchObject({ status: 2, stdout: '' })
  expect(forked.stderr).toMatch(/^--answer cannot answer openai\.chat with the status 999\. A status is a whole number from 200 to 599\./)
})

it('prints data', async () => {
  const { status, stdout } = await goldenrun('fork', 'refund-twice', '--at', 'side-effect', '--samples', '3', '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    forks: [
      {
        outcomes: [{ samples: 3, share: 1, interval: { low: expect.closeTo(0.4385, 3), high: 1 } }],
        spent: { calls: 0, cached: 0 },
        runs: [{ outcome: { status: 'returned' } }, { outcome: { status: 'returned' } }, { outcome: { status: 'returned' } }],
      },
    ],
  })
})

it('forks one step to several models, and makes no call the second time', async () => {
  const { host } = new URL(provider.url)
  const live = ['--at', 'turn:3', '--then', 'live', '--models', 'one,two', '--no-keep', '--clock', 'virtual']
  const refused = await goldenrun('fork', 'cancel-unshipped', ...live)
  expect(refused.stdout).toContain(
    `The recorded run never called ${host}. If the fork may, name it: allowHost: ['${host}'] (--allow-host ${host}).`,
  )
  expect(asked).toBe(0)
  const allowed = [...live, '--allow-host', host]
  const first = await goldenrun('fork', 'cancel-unshipped', ...allowed)
  expect(first.stdout).toMatch(/^one:\n[^]*Returned \{"reply":"one 1"\}[^]*^two:\n[^]*Returned \{"reply":"two 2"\}/m)
  expect(await goldenrun('fork', 'cancel-unshipped', ...allowed)).toEqual(first)
  expect(asked).toBe(2)
  expect(await readdir(path.join(project.path, '.goldenrun/cache/forks'))).toHaveLength(2)
  await goldenrun('fork', 'cancel-unshipped', ...allowed, '--no-cache')
  expect(asked).toBe(4)
})

it.each([
  [['--at', 'turn:99'], 'has no turn 99 to fork at. Its model was called 3 times'],
  [['--at', 'soon'], 'It has to be a step (7)'],
  [['--at', '4', '--answer', 'no json'], '--answer has to be JSON'],
  [['--at', '4', '--answer', '@missing.json'], 'which cannot be read'],
  [['--answer', '1'], '--answer or --error needs --at, the step where the fork leaves the trace.'],
  [['--system', 'Be kind.'], '--system, --model or --arguments needs --at, the step'],
  [['--at', '4', '--budget', 'much'], 'a number of calls, tokens or usd'],
  [['--at', '4', '--budget', '2usd'], 'budget.prices'],
  [['--at', '4', '--route', 'refund_order=sometimes'], 'is not one of recorded'],
])('refuses %j', async (args, message) => {
  const { status, stderr } = await goldenrun('fork', 'cancel-unshipped', ...args)
  expect(stderr).toContain(message)
  expect(status).toBe(2)
})
