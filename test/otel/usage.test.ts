import { expect, it } from 'vitest'
import { describeStep } from '../../src/otel/describe-span.ts'

it.each([
  [{}, {}],
  [
    { cacheReadTokens: 4, cacheWriteTokens: 3, reasoningTokens: 2 },
    {
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.cache_write.input_tokens': 3,
      'gen_ai.usage.reasoning.output_tokens': 2,
    },
  ],
])('reports the details of usage that a provider names: %o', (details, expected) => {
  const usage = { inputTokens: 30, outputTokens: 9, ...details }
  const { attributes } = describeStep({
    kind: 'step',
    step: 1,
    owner: 0,
    boundary: 'model',
    at: 0,
    name: 'anthropic.messages',
    model: { request: { provider: 'anthropic', model: 'm', stream: false }, answer: { usage } },
  })
  const ofUsage = Object.entries(attributes).filter(([name]) => name.includes('usage'))
  expect(Object.fromEntries(ofUsage)).toEqual({ 'gen_ai.usage.input_tokens': 30, 'gen_ai.usage.output_tokens': 9, ...expected })
})
