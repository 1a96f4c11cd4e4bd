import { expect, it } from 'vitest'
import { providerName } from '../../src/otel/describe-span.ts'
import { providerOf } from '../../src/models/provider.ts'

it.each([
  ['openai.chat', 'https://api.openai.com/v1/chat/completions', 'openai'],
  ['openai.chat', 'https://ours.openai.azure.com/openai/deployments/gpt/chat/completions', 'azure.ai.openai'],
  ['openai.chat', 'https://api.mistral.ai/v1/chat/completions', 'mistral_ai'],
  ['openai.chat', 'https://api.x.ai/v1/chat/completions', 'x_ai'],
  ['openai.chat', 'https://openrouter.ai/api/v1/chat/completions', 'openrouter'],
  ['openai.responses', 'http://127.0.0.1:8080/v1/responses', 'openai'],
  ['anthropic.messages', 'https://gateway.example/v1/messages', 'anthropic'],
  ['anthropic.messages', 'https://us-east5-aiplatform.googleapis.com/v1/models/claude:rawPredict', 'gcp.vertex_ai'],
  ['gemini.content', 'https://generativelanguage.googleapis.com/v1/models/gemini:generateContent', 'gcp.gemini'],
  ['gemini.content', 'http://localhost:1/v1/models/gemini:generateContent', 'gcp.gemini'],
  ['bedrock.converse', 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse', 'aws.bedrock'],
  ['ollama.chat', 'http://localhost:11434/api/chat', 'ollama'],
])('says of %s at %s that it is %s', (name, url, expected) => {
  const request = { provider: providerOf(url), model: 'm', stream: false }
  const step = {
    kind: 'step',
    step: 1,
    owner: 0,
    boundary: 'model',
    at: 0,
    name,
    http: { method: 'POST', url },
    model: { request },
  } as const
  expect(providerName(step)).toBe(expected)
})
