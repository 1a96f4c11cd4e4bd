import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { live } from '../../src/run/live.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { record, recordCancel } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'
const provider = await startProvider({ script: () => ({ text: 'Hello.' }) })
afterAll(() => provider.close())

const day = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * day - 3_600_000).toISOString()

/** A run of an agent that asks a model, as if it had been recorded then. */
async function recordAsked(model: string, agent: string, startedAt: string): Promise<Trace> {
  const id = await record(store, { agent, input: {} }, async () => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] })
    const answer = await fetch(`${provider.openaiBaseUrl}/chat/completions`, { method: 'POST', body })
    return answer.status
  })
  const trace = await readTrace(id)
  return withHeader(trace, { startedAt })
}

function withHeader(trace: Trace, fields: Partial<Trace['header']>): Trace {
  const header = { ...trace.header, ...fields }
  return { ...trace, header, rows: [header, ...trace.rows.slice(1)] }
}

it('lists goldens of other models, old ones, rebased ones, and paths that match nothing', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write(
    'goldenrun.config.ts',
    `export default {
  replay: { ignore: ['messages[*].content', 'args.requestId'], normalize: { 'state.order': 'sorted' } },
  check: { maxAgeDays: 90, models: { support: 'gpt-5', triage: ['gpt-4.1', 'gpt-5-mini'] } },
}\n`,
  )
  await promote(await recordAsked('gpt-4.1', 'support', daysAgo(3)), { name: 'support/hello' })
  await promote(await recordAsked('gpt-5', 'support', daysAgo(120)), { name: 'support/old' })
  await promote(await recordAsked('gpt-4.1', 'triage', daysAgo(0)), { name: 'triage' })
  await promote(await recordAsked('gpt-4.1', 'another', daysAgo(89)), { name: 'another' })
  const rebased = withHeader(await readTrace('triage'), {
    golden: { name: 'triage', expect: { replay: 'same' }, promotedAt: daysAgo(9), promotedFrom: 'x', rebasedAt: daysAgo(2) },
  })
  await promote(rebased, { name: 'rebased' })

  const { status, stdout, stderr } = await runCommand(project.path, ['check'])

  expect(stdout).toMatchInlineSnapshot(`
    "golden         what
    rebased        rebased  inputs rebased 2 days ago, answers recorded today
    support/hello  model    recorded with gpt-4.1; the config names gpt-5
    support/old    age      recorded 120 days ago; at most 90 days are allowed

    The path args.requestId of the config's replay.ignore or replay.normalize matches nothing in any golden trace.
    The path state.order of the config's replay.ignore or replay.normalize matches nothing in any golden trace.

    5 golden traces checked: 4 to fix.
    "
  `)
  expect([status, stderr]).toEqual([1, ''])

  const json = await runCommand(project.path, ['check', '--json', '--max-age', '200'])
  expect(JSON.parse(json.stdout)).toEqual({
    config: 'goldenrun.config.ts',
    goldens: 5,
    findings: [
      { golden: 'rebased', kind: 'rebased', message: 'inputs rebased 2 days ago, answers recorded today', isNote: true },
      { golden: 'support/hello', kind: 'model', message: 'recorded with gpt-4.1; the config names gpt-5', isNote: false },
    ],
    unmatchedPaths: ['args.requestId', 'state.order'],
  })
  expect(json.status).toBe(1)
})

it('finds what has the shape of a secret, says where, and does not print it', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  const { file } = await promote(await readTrace(id), { name: 'cancel' })
  expect(await runCommand(project.path, ['check'])).toEqual({
    status: 0,
    stdout: '1 golden trace checked: nothing to fix.\n',
    stderr: '',
  })

  const key = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'
  const text = await project.read('golden-traces/cancel.jsonl')
  const edited = text
    .replace('Your order is cancelled.', `Your order is cancelled. ${key}`)
    .replace('"status":"cancelled"', `"status":"${key}"`)
  expect(edited.split(key)).toHaveLength(3)
  await project.write(file.slice(project.path.length + 1), edited)

  const { status, stdout } = await runCommand(project.path, ['check'])
  expect(stdout).toMatchInlineSnapshot(`
    "golden  what
    cancel  secret  something that looks like a secret: step 2.output.status, end.output.reply

    1 golden trace checked: 1 to fix.
    To redact what looks like a secret: npx goldenrun scrub goldens
    "
  `)
  expect(status).toBe(1)
})

it('takes what the project calls public for no secret, and what it calls one for a secret', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const { file } = await promote(await readTrace(await recordCancel(store)), { name: 'cancel' })
  const text = await project.read('golden-traces/cancel.jsonl')
  await project.write(
    file.slice(project.path.length + 1),
    text.replace('Your order is cancelled.', 'Write to support@shop.example, ticket T-1.'),
  )
  await project.write('goldenrun.config.mjs', 'export default { redact: { keep: ["support@shop.example"] } }')
  expect((await runCommand(project.path, ['check'])).status).toBe(0)
  await project.write(
    'goldenrun.config.mjs',
    'export default { redact: { keep: [/@shop/], rules: [{ name: "ticket", pattern: /T-\\d/ }] } }',
  )
  const { status, stdout } = await runCommand(project.path, ['check'])
  expect(stdout).toContain('cancel  secret  something that looks like a secret: end.output.reply')
  expect(status).toBe(1)
})

it('continues past an unreadable golden, and reports that it could not check all', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('golden-traces/newer.jsonl', '{"kind":"run","format":7}\n')
  const { status, stdout } = await runCommand(project.path, ['check'])
  expect(stdout).toContain('newer   unreadable  golden-traces/newer.jsonl was written in trace format 7;')
  expect(stdout).toContain('1 golden trace checked: 1 to fix.')
  expect(status).toBe(2)
})

it('checks nothing where there is nothing, and refuses a wrong age and a wrong config', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  expect(await runCommand(project.path, ['check', '--json'])).toEqual({
    status: 0,
    stdout: `${JSON.stringify({ config: null, goldens: 0, findings: [], unmatchedPaths: [] }, undefined, 2)}\n`,
    stderr: '',
  })
  const age = await runCommand(project.path, ['check', '--max-age', 'old'])
  expect([age.status, age.stderr]).toEqual([2, expect.stringContaining('It has to be a number of days above 0.')])
  await project.write('goldenrun.config.js', 'module.exports = { check: { maxAge: 3 } }\n')
  const config = await runCommand(project.path, ['check'])
  expect([config.status, config.stderr]).toEqual([
    2,
    'goldenrun.config.js: the field check.maxAge is not known. The fields are: maxAgeDays, models.\n',
  ])
})

it('reads recordings from where the config says', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('goldenrun.config.ts', "export default { store: './elsewhere' }\n")
  const id = await recordCancel('elsewhere')
  expect((await runCommand(project.path, ['list'])).stdout).toContain(`Recordings in elsewhere:`)
  expect((await runCommand(project.path, ['show', 'latest', '--json'])).stdout).toContain(id)
  expect((await runCommand(project.path, ['list', '--store', 'nowhere'])).stdout).toContain('No recordings in nowhere.')
})

it('lists the places that stay live, with reason, line and count, and fails above a number of them', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const agentFile = 'live-agent.mjs'
  await project.write(
    agentFile,
    `export const agentOf = (live) => async ({ twice }) => {
  live('the health check is local', () => 1)
  if (twice) for (let time = 0; time < 2; time += 1) live('counted by hand', () => time)
  return 'done'
}
`,
  )
  const { agentOf } = (await import(project.resolve(agentFile))) as {
    agentOf: (body: typeof live) => (input: { twice: boolean }) => unknown
  }
  const plain = await record(store, { input: { twice: false } }, agentOf(live))
  await record(store, { input: { twice: true } }, agentOf(live))
  await promote(await readTrace(plain), { name: 'plain' })
  const { stdout, status } = await runCommand(project.path, ['check', '--live'])
  // Three of the first: the golden, and both recordings.
  expect(stdout).toBe(`1 golden trace checked: nothing to fix.

SITE                 REASON                     CALLS  TRACES
live-agent.mjs:2:3   the health check is local      3       3
live-agent.mjs:3:54  counted by hand                2       1

2 places in the code stay live.
`)
  expect(status).toBe(0)
  expect((await runCommand(project.path, ['check', '--max-live', '2'])).status).toBe(0)
  const failed = await runCommand(project.path, ['check', '--max-live', '1'])
  expect(failed.stdout).toContain('2 places in the code stay live; --max-live allows 1.')
  expect(failed.status).toBe(1)
  expect(JSON.parse((await runCommand(project.path, ['check', '--live', '--json'])).stdout)).toMatchObject({
    live: [
      { reason: 'the health check is local', site: 'live-agent.mjs:2:3', calls: 3, traces: 3 },
      { reason: 'counted by hand', calls: 2, traces: 1 },
    ],
  })
})
