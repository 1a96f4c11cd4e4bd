import { expect, it } from 'vitest'
import { dialectNamed } from '../../src/models/dialects.ts'
import { recogniseDialect } from '../../src/models/recognise-dialect.ts'

it.each([
  ['https://api.openai.com/v1/chat/completions', 'openai.chat'],
  ['https://api.groq.com/openai/v1/chat/completions', 'openai.chat'],
  ['https://openrouter.ai/api/v1/chat/completions', 'openai.chat'],
  ['https://gateway.example.com/inference/v1/chat/completions', 'openai.chat'],
  ['https://x.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-02-01', 'openai.chat'],
  ['https://api.mistral.ai/v1/chat/completions#stream', 'openai.chat'],
  ['http://127.0.0.1:4010/chat/completions', 'openai.chat'],
  ['http://127.0.0.1:4010/v1/chat/completions/', 'openai.chat'],
  ['https://api.openai.com/v1/responses', 'openai.responses'],
  ['https://api.deepseek.com/responses', 'openai.responses'],
  ['http://127.0.0.1:4010/responses', 'openai.responses'],
  ['/responses', 'openai.responses'],
  ['https://x.openai.azure.com/openai/v1/responses?api-version=preview', 'openai.responses'],
  ['https://x.openai.azure.com/openai/responses?api-version=2025-04-01-preview', 'openai.responses'],
  ['https://x.openai.azure.com/openai/deployments/gpt-4o/responses', 'openai.responses'],
  ['https://gateway.ai.cloudflare.com/v1/account/gateway/openai/responses', 'openai.responses'],
  ['https://chatgpt.com/backend-api/codex/responses', 'openai.responses'],
  ['https://api.anthropic.com/v1/messages', 'anthropic.messages'],
  ['https://api.anthropic.com/v1/messages?beta=true', 'anthropic.messages'],
  ['https://api.deepseek.com/anthropic/v1/messages', 'anthropic.messages'],
  ['http://127.0.0.1:4010/v1/messages', 'anthropic.messages'],
  ['https://x-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude-4@1:rawPredict', 'anthropic.messages'],
  [
    'https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude-4:streamRawPredict',
    'anthropic.messages',
  ],
  ['https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent?key=1', 'gemini.content'],
  ['https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', 'gemini.content'],
  ['https://generativelanguage.googleapis.com/v1beta/tunedModels/mine:generateContent', 'gemini.content'],
  [
    'https://x-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generateContent',
    'gemini.content',
  ],
  ['https://x-aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/12:streamGenerateContent', 'gemini.content'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-micro-v1%3A0/converse', 'bedrock.converse'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-micro-v1:0/converse-stream', 'bedrock.converse'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-v1%3A0/invoke', 'bedrock.invoke'],
  ['https://vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com/model/mistral.large/invoke-with-response-stream', 'bedrock.invoke'],
  ['https://api.cohere.com/v2/chat', 'cohere.chat'],
  ['http://localhost:11434/api/chat', 'ollama.chat'],
  ['http://127.0.0.1:4010/api/chat', 'ollama.chat'],
  ['http://[::1]:4010/api/chat', 'ollama.chat'],
  ['http://gpu-7:11434/api/chat', 'ollama.chat'],
  ['https://ollama.com/api/chat', 'ollama.chat'],
])('recognises a POST to %s as %s', (url, name) => {
  expect(recogniseDialect('POST', url)).toBe(name)
  expect(dialectNamed(name)?.name).toBe(name)
  expect(recogniseDialect('GET', url)).toBe(undefined)
})

it.each([
  'https://api.openai.com/v1/completions',
  'https://api.openai.com/v1/embeddings',
  'https://api.openai.com/v1/chat/completions/chatcmpl_1',
  'https://api.openai.com/v1/responses/resp_1/cancel',
  'https://api.openai.com/v1/threads/thread_1/messages',
  'https://api.anthropic.com/v1/messages/count_tokens',
  'https://api.anthropic.com/v1/messages/batches',
  'https://api.nexmo.com/v1/messages',
  'https://messages-sandbox.nexmo.com/v1/messages',
  'https://api.telnyx.com/v2/messages',
  'https://graph.facebook.com/v21.0/1029/messages',
  'https://forms.example.com/forms/7/responses',
  'https://api.example.com/v1/surveys/12/responses',
  'https://example.com/?next=/v1/chat/completions',
  'https://example.com/#/v1/messages',
  'https://x-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict',
  'https://x-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/imagen:predict',
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:countTokens',
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:batchGenerateContent',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.titan-embed-text-v2%3A0/invoke',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/cohere.rerank-v3-5%3A0/invoke',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-canvas-v1%3A0/invoke',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/meta.llama3-8b-instruct-v1%3A0/invoke',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-micro-v1%3A0/count-tokens',
  'https://api.cohere.com/v2/embed',
  'https://api.cohere.com/v1/chat',
  'https://api.writer.com/v1/chat',
  'https://shop.example.com/api/chat',
  'http://localhost:11434/api/embed',
])('does not take a POST to %s for a model call', (url) => {
  expect(recogniseDialect('POST', url)).toBe(undefined)
})

it('finds a dialect by the name of a step', () => {
  expect(dialectNamed('anthropic.messages')?.name).toBe('anthropic.messages')
  expect(dialectNamed('api.example.com')).toBe(undefined)
})
