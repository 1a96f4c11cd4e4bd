import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { generateText, streamText } from 'ai'
import axios from 'axios'
import { CohereClientV2 } from 'cohere-ai'
import got from 'got'
import ky from 'ky'
import nodeFetch from 'node-fetch'
import { Ollama } from 'ollama'
import OpenAI from 'openai'

const url = 'http://127.0.0.1:4010'
const openai = new OpenAI({ apiKey: 'sk-test', baseURL: url, maxRetries: 0 })
const anthropic = new Anthropic({ apiKey: 'sk-test', baseURL: url, maxRetries: 0 })
const sdk = createOpenAI({ apiKey: 'sk-test', baseURL: url })
const gemini = new GoogleGenAI({ apiKey: 'AIza-test', httpOptions: { baseUrl: url } })
const cohere = new CohereClientV2({ token: 'co-test', environment: url, maxRetries: 0 })
const ollama = new Ollama({ host: url })
const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const bedrock = new BedrockRuntimeClient({ endpoint: url, region: 'us-east-1', credentials, requestHandler: new NodeHttpHandler() })

const messages = [{ role: 'user' as const, content: 'Where is ord_1?' }]
const [model, max_tokens] = ['model-1', 100]
const conversed = { modelId: model, messages: [{ role: 'user' as const, content: [{ text: 'Where is ord_1?' }] }] }

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** Ways to call the outside world, each on the line that is named `site: …`. */
export const clients: Readonly<Record<string, () => Promise<unknown>>> = {
  openai: () => openai.chat.completions.create({ model, messages }), // site: openai
  'openai awaited': async () => {
    const completion = await openai.chat.completions.create({ model, messages }) // site: openai awaited
    return completion.choices
  },
  'openai streamed': async () => {
    await readAll(await openai.chat.completions.create({ model, messages, stream: true })) // site: openai streamed
  },
  'openai stream helper': () => openai.chat.completions.stream({ model, messages }).finalChatCompletion(), // site: openai stream helper
  'openai responses': () => openai.responses.create({ model, input: 'Where?' }), // site: openai responses
  anthropic: () => anthropic.messages.create({ model, max_tokens, messages }), // site: anthropic
  'anthropic awaited': async () => {
    const message = await anthropic.messages.create({ model, max_tokens, messages }) // site: anthropic awaited
    return message.content
  },
  'anthropic streamed': async () => {
    await readAll(await anthropic.messages.create({ model, max_tokens, messages, stream: true })) // site: anthropic streamed
  },
  'anthropic stream helper': () => anthropic.messages.stream({ model, max_tokens, messages }).finalMessage(), // site: anthropic stream helper
  'ai sdk': async () => {
    const { text } = await generateText({ model: sdk.chat(model), prompt: 'Where?', maxRetries: 0 }) // site: ai sdk
    return text
  },
  'ai sdk streamed': async () => {
    const result = streamText({ model: sdk.responses(model), prompt: 'Where?', maxRetries: 0, onError: () => undefined }) // site: ai sdk streamed
    return await result.text
  },
  gemini: () => gemini.models.generateContent({ model, contents: 'Where?' }), // site: gemini
  'gemini streamed': async () => {
    await readAll(await gemini.models.generateContentStream({ model, contents: 'Where?' })) // site: gemini streamed
  },
  cohere: async () => await cohere.chat({ model, messages }), // site: cohere
  'cohere streamed': async () => {
    await readAll(await cohere.chatStream({ model, messages })) // site: cohere streamed
  },
  ollama: () => ollama.chat({ model, messages }), // site: ollama
  'ollama streamed': async () => {
    await readAll(await ollama.chat({ model, messages, stream: true })) // site: ollama streamed
  },
  bedrock: () => bedrock.send(new ConverseCommand(conversed)), // site: bedrock
  'bedrock streamed': async () => {
    const { stream } = await bedrock.send(new ConverseStreamCommand(conversed)) // site: bedrock streamed
    await readAll(stream ?? new ReadableStream())
  },
  axios: () => axios.post(url, { id: 'ord_1' }), // site: axios
  got: () => got.post(url, { json: { id: 'ord_1' }, retry: { limit: 0 } }).json(), // site: got
  'got awaited': async () => {
    const order = await got(url, { retry: { limit: 0 } }) // site: got awaited
    return order
  },
  'got streamed': async () => {
    await readAll(got.stream(url, { retry: { limit: 0 } })) // site: got streamed
  },
  ky: () => ky.post(url, { json: { id: 'ord_1' }, retry: 0 }).json(), // site: ky
  'ky awaited': async () => {
    const response = await ky(url, { retry: 0 }) // site: ky awaited
    return response.status
  },
  'node-fetch': async () => {
    const response = await nodeFetch(url) // site: node-fetch
    return response.status
  },
  fetch: () => fetch(url), // site: fetch
}
