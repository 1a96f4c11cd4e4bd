import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { LocalServer } from '../../examples/world/listen.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createPausingAgent, pausingSource, recordConversation, startShop } from '../support/pausing-agent.ts'
import { withoutTimes } from '../support/run-command.ts'
import { createVitestWorkspace, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

let workspace: VitestWorkspace
let shop: LocalServer

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  shop = await startShop()
}, 60_000)

afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await workspace[Symbol.asyncDispose]()
})

/** A project of the agent, with recordings of a conversation, the oldest first. */
async function createProject(): Promise<{ readonly project: VitestProject; readonly ids: readonly [string, string] }> {
  const project = await workspace.project({
    'src/agent.js': pausingSource(shop.url),
    'goldenrun.config.ts': "export default { agents: { support: './src/agent.js#support' } }\n",
  })
  return { project, ids: await recordConversation(`${project.path}/.goldenrun/runs`, createPausingAgent(shop.url)) }
}

const promote = ['promote', 'latest~1', 'latest', '--name', 'refund-talk', '--yes']

it('promotes the runs of a conversation, each of which is held after those before it', async () => {
  const { project, ids } = await createProject()
  const { stdout, status } = await project.goldenrun(promote)
  expect(withoutTimes(stdout).replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '<uuid>')).toMatchInlineSnapshot(`
    "Promote YYYYMMDD-hhmmssmmm-xxxxxxxx to golden-traces/refund-talk/1.jsonl
      agent       support
      outcome     returned {"paused":"<uuid>"}
      steps       1 (1 http)
      size        # kB
      tools       none
      holds when  the run is the same
      replays     without divergence, with the agent of goldenrun.config.ts
      redacted    nothing: no key or token of a known shape was found

    Promote YYYYMMDD-hhmmssmmm-xxxxxxxx to golden-traces/refund-talk/2.jsonl
      agent       support
      follows     refund-talk/1
      outcome     returned {"refund":"re_1"}
      steps       1 (1 http)
      size        # kB
      tools       none
      holds when  the run is the same
      replays     without divergence, with the agent of goldenrun.config.ts
      redacted    nothing: no key or token of a known shape was found
    Wrote golden-traces/refund-talk/1.jsonl.
    Wrote golden-traces/refund-talk/2.jsonl.
    Wrote golden-traces/support.accepted, so that a red report can say what has changed.
    "
  `)
  expect(status).toBe(0)
  for (const [index, id] of ids.entries()) {
    const { golden } = (await readTrace(`${project.path}/golden-traces/refund-talk/${index + 1}.jsonl`)).header
    expect(golden).toMatchObject({ name: `refund-talk/${index + 1}`, promotedFrom: id })
    expect(golden?.follows).toBe(index === 0 ? undefined : 'refund-talk/1')
  }
  for (const args of [['refund-talk/2'], ['golden-traces/refund-talk/2.jsonl'], ['2']])
    expect(await project.goldenrun(['replay', ...args])).toMatchObject({ stdout: '1 trace replayed: 1 held.\n', status: 0 })
  for (const args of [[], ['refund-talk'], ['refund-talk/*'], ['refund-talk/2', 'refund-talk/1']])
    expect(await project.goldenrun(['replay', ...args])).toMatchObject({ stdout: '2 traces replayed: 2 held.\n', status: 0 })
})

it('continues from the previous golden when the process has just replayed it', async () => {
  const { project } = await createProject()
  // A store that does not take the same conversation twice.
  await project.edit(
    'src/agent.js',
    'paused.set(id,',
    "if (paused.size > 0 || globalThis.started) throw new Error('twice')\n    globalThis.started = true\n    paused.set(id,",
  )
  expect((await project.goldenrun(promote)).status).toBe(0)
  expect(await project.goldenrun(['replay'])).toMatchObject({ stdout: '2 traces replayed: 2 held.\n', status: 0 })
})

it('tells a change in the first run that spoils the second, and one that the first itself shows', async () => {
  const { project } = await createProject()
  await project.goldenrun(promote)
  await project.edit('src/agent.js', 'amount: total', 'amount: total / 100')
  const spoiled = await project.goldenrun(['replay'])
  expect(spoiled.stdout).toContain('Failed to replay "refund-talk/2": step 1 diverged (input: body)')
  expect(spoiled).toMatchObject({ stdout: expect.stringContaining('2 traces replayed: 1 not held, 1 held.'), status: 1 })
  await project.edit('src/agent.js', 'order: input.order })\n', "order: input.order, currency: 'usd' })\n")
  const { stdout, status } = await project.goldenrun(['replay', 'refund-talk/2'])
  expect(stdout).toMatchInlineSnapshot(`
    "Failed to hold refund-talk/2: "refund-talk/2" was not judged, because it follows "refund-talk/1", which does not hold: step 1 diverged (input: body). Fix or update that one first. To see it: npx goldenrun replay refund-talk/1

    1 trace replayed: 1 not held.
    "
  `)
  expect(status).toBe(1)
  const json = await project.goldenrun(['replay', 'refund-talk', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    counts: { notHeld: 2 },
    traces: [{ name: 'refund-talk/1' }, { name: 'refund-talk/2', message: expect.stringContaining('was not judged') }],
  })
})

it('refuses runs in the wrong order, one named twice, and a name that means other goldens', async () => {
  const { project, ids } = await createProject()
  const tell = async (...args: readonly string[]): Promise<string> => {
    const { stderr, status } = await project.goldenrun(['promote', ...args, '--yes'])
    expect(status).toBe(2)
    return stderr
      .replaceAll(ids[0], '<first>')
      .replaceAll(ids[1], '<second>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
  }
  expect(await tell('latest', 'latest~1', '--name', 'talk')).toMatchInlineSnapshot(`
    "Cannot promote <first>: it started at <time>, before <second> (<time>), which it would follow. Name the runs in the order in which they started: <first> <second>
    "
  `)
  expect(await tell('latest', 'latest', '--name', 'talk')).toMatchInlineSnapshot(`
    "Cannot promote <second>: it is named twice. Name each run of the conversation once.
    "
  `)
  expect((await project.goldenrun(['promote', 'latest~1', '--name', 'talk', '--yes'])).status).toBe(0)
  expect(await tell('latest~1', 'latest', '--name', 'talk', '--force')).toMatchInlineSnapshot(`
    "Cannot promote <first>: "talk" would match more than the goldens of this conversation: golden-traces/talk.jsonl. Choose another name, or delete those goldens.
    "
  `)
  expect(await tell('latest', '--name', 'next', '--follows', 'nothing')).toMatchInlineSnapshot(`
    ""next" cannot be replayed after its earlier runs: next follows nothing, which is not in golden-traces. Restore that golden, or promote the runs of the conversation again, in their order: npx goldenrun promote <run> <run> --name <name> --force
    "
  `)
})

it('adds a run to a conversation, whose last one may be an incident', async () => {
  const { project } = await createProject()
  expect((await project.goldenrun(['promote', 'latest~1', '--name', 'asked', '--yes'])).status).toBe(0)
  const check = ['--check', 'toHaveOutcome({"output":{"refund":"re_0"}})']
  const incident = ['--incident', '1', '--trigger', 'input', ...check, '--yes']
  const { stdout, stderr, status } = await project.goldenrun(['promote', 'latest', '--name', 'refunded', '--follows', 'asked', ...incident])
  expect([stderr, status]).toEqual(['', 0])
  expect(stdout).toContain('  follows     asked\n')
  expect((await project.goldenrun(['replay', 'refunded'])).stdout).toContain(
    'Failed to hold "refunded": the agent still repeats the incident.',
  )
  const third = await project.goldenrun(['promote', 'latest', '--name', 'third', '--follows', 'refunded', '--yes'])
  expect(third.stderr).toContain(
    '"third" cannot be replayed after its earlier runs: it follows refunded, which is the golden of an incident',
  )
  const whole = await project.goldenrun(['promote', 'latest~1', 'latest', '--name', 'talk', ...incident])
  expect([whole.stderr, whole.status]).toEqual(['', 0])
})

it('shows, lists, draws and compares such goldens as others', async () => {
  const { project } = await createProject()
  await project.goldenrun(promote)
  expect((await project.goldenrun(['show', 'refund-talk/2'])).stdout).toContain('  follows     refund-talk/1\n')
  expect((await project.goldenrun(['list', '--json'])).stdout).toContain('refund-talk/2')
  expect((await project.goldenrun(['view', 'refund-talk/2', '--out', 'page.html'])).status).toBe(0)
  expect((await project.goldenrun(['diff', 'refund-talk/2', 'latest'])).status).toBe(0)
  expect((await project.goldenrun(['check'])).status).toBe(0)
  const inspected = await project.goldenrun(['inspect', 'refund-talk/2'])
  expect([inspected.stderr, inspected.status]).toEqual(['', 0])
  expect(inspected.stdout).toContain('amount: 4900')
})

it('replays a conversation of the current tree with the code of a commit', async () => {
  const { project } = await createProject()
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com', ...args], { cwd: project.path, encoding: 'utf8' })
  git('init', '--quiet')
  git('add', 'src', 'goldenrun.config.ts', 'package.json')
  git('commit', '--quiet', '-m', 'Refund')
  // The goldens are not of the commit.
  await project.goldenrun(promote)
  await project.edit('src/agent.js', 'amount: total', 'amount: total / 100')
  expect((await project.goldenrun(['replay', 'refund-talk/2'])).status).toBe(1)
  const { stdout, stderr, status } = await project.goldenrun(['replay', 'refund-talk/2', '--ref', 'HEAD'])
  expect([stdout, stderr, status]).toEqual(['1 trace replayed: 1 held.\n', '', 0])
})
