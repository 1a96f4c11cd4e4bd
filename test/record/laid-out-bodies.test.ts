import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { repeatedSideEffects, sideEffectsOf } from '../../src/trace/side-effects.ts'
import { recordRun } from '../support/record-run.ts'
import { toGoldenTrace } from '../support/replay-clean.ts'

let server: Server
let url = ''

beforeEach(async () => {
  const answer = { choices: [{ message: { role: 'assistant', content: 'On its way.' }, finish_reason: 'stop' }] }
  server = createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)))
  }).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const words = `Lumen. ${'You are the support agent of a shop for home offices. '.repeat(30)}`

/** As the OpenAI SDK up to version 4 and Genkit write what they send. */
const askTwice = (prompt: string, indent: string | number | undefined) => async (): Promise<void> => {
  const messages = [{ role: 'system', content: prompt }]
  for (const content of ['Where is it?', 'And now?']) {
    messages.push({ role: 'user', content })
    const body = JSON.stringify({ model: 'gpt-4.1', messages }, undefined, indent)
    await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
  }
}

it.each([2, 4, '\t'])('reads the messages of a model call whose body is laid out with %j, and keeps them once', async (indent) => {
  const { trace, text } = await recordRun(askTwice(words, indent))
  const asked = trace.steps.map(({ input }) => (input as { json?: { messages: unknown[] } }).json?.messages.length)
  expect(asked).toEqual([2, 3])
  expect(text.split('Lumen.')).toHaveLength(2)
  const golden = toGoldenTrace(trace)
  expect((await replay(golden, askTwice(words, indent))).divergences).toEqual([])
  // Nothing is asked otherwise by another layout.
  expect((await replay(golden, askTwice(words, undefined))).divergences).toEqual([])
  const run = await replay(golden, askTwice(words.replace('shop', 'store'), indent))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', parts: ['system-prompt'], step: 1 })
})

it('counts a POST that only reads as no side effect, though it is sent twice', async () => {
  const post = async (path: string, body: unknown): Promise<unknown> =>
    await (await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text()
  const { trace, stats } = await recordRun(async () => {
    for (let time = 0; time < 2; time += 1) {
      await post('/v1/embeddings', { model: 'small', input: 'chair' })
      await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    }
    await post('/refunds', { amount: 1 })
    await post('/refunds', { amount: 1 })
  })
  const made = sideEffectsOf(trace.steps, trace.header)
  expect(made.map(({ step }) => step)).toEqual([5, 6])
  expect(repeatedSideEffects(made).map(({ step }) => step)).toEqual([6])
  expect(stats.flagged).toBe(1)
})
