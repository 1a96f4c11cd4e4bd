import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { modelCallsOf } from '../../src/replay/traces/model-calls.ts'
import { usageOfSteps } from '../../src/models/usage.ts'
import { replay } from '../../src/replay/replay.ts'
import { summarizeRows } from '../../src/stores/summarize-run.ts'
import { recordRun } from '../support/record-run.ts'

const usage = { input_tokens: 11, output_tokens: 5, total_tokens: 16 }
const said = [
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Paris', annotations: [] }],
  },
]
let polls = 0

/** As OpenAI answers what was asked in the background: at once with nothing, and with the answer to the third poll. */
const server = await listen(async (request, response) => {
  for await (const _ of request);
  if (request.method === 'GET') polls += 1
  const isDone = polls === 3
  const body = { id: 'resp_bg1', object: 'response', model: 'gpt-5', background: true, status: isDone ? 'completed' : 'queued' }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ ...body, output: isDone ? said : [], usage: isDone ? usage : null }))
})
afterAll(() => server.close())

const agent = async (question = 'Which is the capital of France?'): Promise<string> => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` })
  let answer = await client.responses.create({ model: 'gpt-5', input: question, background: true })
  while (answer.status === 'queued') {
    await new Promise((resolve) => setTimeout(resolve, 2))
    answer = await client.responses.retrieve(answer.id)
  }
  return answer.output_text
}

it('gives a model call in the background the answer that its last poll brought, once', async () => {
  const { trace } = await recordRun(agent)
  expect(trace.steps.map(({ boundary }) => boundary)).toEqual(['model', 'http', 'http', 'http'])
  expect(modelCallsOf(trace.steps)).toMatchObject([{ step: 1, request: { model: 'gpt-5' }, answer: { text: 'Paris', stopReason: 'end' } }])
  expect(usageOfSteps(trace.steps)).toEqual({ inputTokens: 11, outputTokens: 5 })
  expect(summarizeRows(trace.rows)).toMatchObject({ modelCalls: 1, usage: { inputTokens: 11, outputTokens: 5 } })

  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.modelCalls).toMatchObject([{ answer: { text: 'Paris' } }])
  const changed = await replay(trace, () => agent('Which is the capital of Spain?'))
  expect(changed.divergences).toMatchObject([{ cause: 'input', step: 1 }])
})

it('counts a stored response that is fetched again no second time', async () => {
  polls = 2
  const { trace } = await recordRun(async () => {
    const client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` })
    polls = 3
    const answer = await client.responses.create({ model: 'gpt-5', input: 'hello' })
    polls = 2
    return (await client.responses.retrieve(answer.id)).output_text
  })
  expect(usageOfSteps(trace.steps)).toEqual({ inputTokens: 11, outputTokens: 5 })
  expect(summarizeRows(trace.rows)).toMatchObject({ usage: { inputTokens: 11, outputTokens: 5 } })
})
