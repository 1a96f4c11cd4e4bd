import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { tool } from '../../src/run/tool.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'

const send = tool('send', { effect: 'write' }, async (mail: { readonly to: string; readonly cc: string }) => ({ sent: mail.to }))

/** A recording of format 2, as its release wrote it: `support@shop.example` is a constant of the agent's, the customer is an input. */
const recorded = [
  {
    kind: 'run',
    format: 2,
    id: '20261101-120000000-00000000',
    traceId: '0'.repeat(32),
    agent: 'mailer',
    input: { customer: 'redacted00001@mail.example' },
    startedAt: '2026-11-01T12:00:00.000Z',
    runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {} },
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { rules: ['email'], standIns: 2 },
  },
  {
    kind: 'call',
    step: 1,
    owner: 0,
    boundary: 'tool',
    name: 'send',
    effect: 'write',
    input: { to: 'redacted00001@mail.example', cc: 'redacted00002@mail.example' },
    at: 1,
  },
  { kind: 'return', step: 1, at: 2, output: { sent: 'redacted00001@mail.example' } },
  { kind: 'end', at: 3, output: { sent: 'redacted00001@mail.example', cc: 'redacted00002@mail.example' } },
  { kind: 'closed', until: 4 },
]

const trace: Trace = decodeTrace(`${recorded.map((row) => JSON.stringify(row)).join('\n')}\n`, 'mailer.jsonl', digest)

function agentWith(cc: string): (input: { readonly customer: string }) => Promise<object> {
  return async ({ customer }) => ({ ...(await send({ to: customer, cc })), cc })
}

it('replays a recording of format 2, whose stand-ins are known by their shape', async () => {
  const run = await replay(trace, agentWith('support@shop.example'))
  expect(run.divergences).toEqual([])
  expect(run.standIns).toMatchObject([
    { path: 'args.cc', kind: 'email', expected: 'redacted00002@mail.example', received: 'redacted00003@mail.example' },
    { path: 'output.cc', expected: 'redacted00002@mail.example', received: 'redacted00003@mail.example' },
  ])
})

it('tells a customer who became a constant', async () => {
  const run = await replay(trace, async () => await agentWith('support@shop.example')({ customer: 'mallory@evil.example' }))
  expect(run.divergences.map(({ cause, step, differences }) => ({ cause, step, paths: differences.map(({ path }) => path) }))).toEqual([
    { cause: 'input', step: 1, paths: ['args.to'] },
  ])
})

it('makes a trace of the replay whose stand-ins are known by their shape as well', async () => {
  const replayed = (await replay(trace, agentWith('support@shop.example'))).toTrace()
  expect(replayed.header.redaction.shaped).toBe(true)
  expect(replayed.rows.filter(({ kind }) => kind === 'stand-in')).toEqual([])
  expect((await replay(replayed, agentWith('support@shop.example'))).divergences).toEqual([])
})
