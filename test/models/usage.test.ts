import { expect, it } from 'vitest'
import { sumUsage, usageOfSteps } from '../../src/models/usage.ts'
import type { Step } from '../../src/trace/trace.ts'

const step = (fields: Partial<Step>): Step => ({ step: 1, owner: 0, boundary: 'model', name: 'openai.chat', input: {}, at: 0, ...fields })

it('sums what several calls used, those of which nothing is known as nothing', () => {
  expect(sumUsage([{ inputTokens: 3, outputTokens: 4, cacheReadTokens: 2 }, undefined, { inputTokens: 10, outputTokens: 20 }])).toEqual({
    inputTokens: 13,
    outputTokens: 24,
  })
  expect(sumUsage([])).toEqual({ inputTokens: 0, outputTokens: 0 })
})

it('sums what the model calls of a run used, of any dialect, JSON or stream', () => {
  const chat = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } }
  const stream = [
    'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":100,"cache_read_input_tokens":20,"output_tokens":1}}}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":30}}\n\n',
  ]
  const steps = [
    step({ output: { status: 200, headers: [['content-type', 'application/json']], json: chat } }),
    step({ name: 'anthropic.messages', output: { status: 200, headers: [['content-type', 'text/event-stream']], text: stream.join('') } }),
    step({ boundary: 'http', output: { status: 200, json: chat } }),
    step({ name: 'nobody.knows', output: { status: 200, json: chat } }),
    step({ error: { name: 'TypeError', message: 'fetch failed' } }),
    step({ output: { status: 500, text: 'down' } }),
    step({}),
  ]
  expect(usageOfSteps(steps)).toEqual({ inputTokens: 127, outputTokens: 32 })
})
