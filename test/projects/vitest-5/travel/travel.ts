import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { currentRun } from 'goldenrun'
import { compareVerifications, fork, replay, resume, verify } from 'goldenrun/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
// A provider that looks the order up, and then answers. It counts what it is asked.
let asked = 0
const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    asked += 1
    const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: { role: string }[] }
    const call = { id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '{"order_id":"ord_1"}' } }
    const isAnswered = messages.at(-1)?.role === 'tool'
    const message = { role: 'assistant', content: isAnswered ? 'On its way.' : null, ...(!isAnswered && { tool_calls: [call] }) }
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 0,
        model: 'gpt-4.1-mini',
        choices: [{ index: 0, finish_reason: 'stop', message }],
        usage,
      }),
    )
  })
})
let supportAgent: (ticket: { ticket: string }) => Promise<{ reply: string }>
let host = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  process.env['OPENAI_BASE_URL'] = `http://${host}/v1`
  process.env['OPENAI_API_KEY'] = 'sk-test'
  // The client is made when the agent is loaded.
  supportAgent = (await import('../src/agent.ts')).supportAgent
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('a fork goes on with another answer, without a model', async () => {
  const run = await fork('cancel-unshipped', supportAgent, { at: { turn: 3 }, edit: { answer: 'I could not cancel it.' } })
  expect(run).toHaveOutcome({ status: 'returned', output: { reply: 'I could not cancel it.' } })
  expect(await replay(run.toTrace(), supportAgent)).toReplayWithoutDivergence()
  expect(asked).toBe(0)
})

test('a fork asks a model with another prompt, and writes nothing', async () => {
  const run = await fork('cancel-unshipped', supportAgent, {
    at: { turn: 3 },
    edit: { request: { system: 'Be brief.' } },
    then: 'live',
    allowHost: [host],
  })
  expect(run).toHaveOutcome({ status: 'returned', output: { reply: 'On its way.' } })
  expect(run.steps.flatMap(({ route }) => route ?? [])).toEqual(['live'])
  expect(asked).toBe(1)
  expect(await replay(run.toTrace(), supportAgent)).toReplayWithoutDivergence()
  expect(asked).toBe(1)
})

test('a run goes on from a checkpoint', async () => {
  const run = await resume('cancel-unshipped', () => currentRun()?.resumedFrom?.state, { checkpoint: 'tool-called' })
  expect(run.outcome).toMatchObject({ status: 'returned', output: { name: 'get_order' } })
})

test('a changed prompt holds', async () => {
  const before = asked
  const verification = await verify('where-is-it', supportAgent, { allowHost: [host], cache: false })
  expect(verification).toPassAtLeast(0.9)
  expect(verification.spent.calls).toBe(asked - before)
  await expect(verify('where-is-it', supportAgent, { allowHost: [host], cache: false, check: () => false })).resolves.not.toPassAtLeast(0.9)
  await expect(verify('where-is-it', supportAgent, { samples: 2, cache: false })).resolves.toMatchObject({ verdict: 'undecided' })
  expect(compareVerifications(verification, verification)).toMatchObject({ difference: 0, verdict: 'no difference shown' })
})
