import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
  type ContentBlock,
  type ConverseCommandInput,
  type Message,
} from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI, type Content, type Part } from '@google/genai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { CohereClientV2 } from 'cohere-ai'
import { Ollama, type Message as OllamaMessage } from 'ollama'
import { tool } from '../../src/run/tool.ts'

/** What of an agent's request an edit may change. */
export interface Settings {
  readonly model: string
  readonly system: string
  readonly description: string
  readonly temperature: number
}

/** An agent that asks a model, runs the tool that it asks for, and returns what it says of the result. */
export type Agent = (settings: Settings) => Promise<string>

/** The agent with each of the SDKs' ways to call a model, the model that it asks, and what its model steps are called. */
export function createAgents(url: string): readonly (readonly [name: string, agent: Agent, model: string, dialect: string])[] {
  return [
    ['Gemini', (settings) => askGemini(url, settings, false), 'gemini-2.5-flash', 'gemini.content'],
    ['Gemini, streamed', (settings) => askGemini(url, settings, true), 'gemini-2.5-flash', 'gemini.content'],
    ['Bedrock Converse', (settings) => askConverse(url, settings, false), 'amazon.nova-micro-v1:0', 'bedrock.converse'],
    ['Bedrock Converse, streamed', (settings) => askConverse(url, settings, true), 'amazon.nova-micro-v1:0', 'bedrock.converse'],
    ['Bedrock InvokeModel', (settings) => askClaude(url, settings, false), 'anthropic.claude-sonnet-4-v1:0', 'bedrock.invoke'],
    ['Bedrock InvokeModel, streamed', (settings) => askClaude(url, settings, true), 'anthropic.claude-sonnet-4-v1:0', 'bedrock.invoke'],
    ['Cohere', (settings) => askCohere(url, settings, false), 'command-a-03-2025', 'cohere.chat'],
    ['Cohere, streamed', (settings) => askCohere(url, settings, true), 'command-a-03-2025', 'cohere.chat'],
    ['Ollama', (settings) => askOllama(url, settings, false), 'llama3.1', 'ollama.chat'],
    ['Ollama, streamed', (settings) => askOllama(url, settings, true), 'llama3.1', 'ollama.chat'],
  ]
}

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ id, status: 'packed' }))
const SCHEMA = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const QUESTION = 'Where is ord_1?'

async function askGemini(baseUrl: string, { model, system, description, temperature }: Settings, stream: boolean): Promise<string> {
  const client = new GoogleGenAI({ apiKey: 'AIza-test', httpOptions: { baseUrl } })
  const tools = [{ functionDeclarations: [{ name: 'get_order', description, parametersJsonSchema: SCHEMA }] }]
  const contents: Content[] = [{ role: 'user', parts: [{ text: QUESTION }] }]
  for (;;) {
    const request = { model, contents, config: { systemInstruction: system, temperature, tools } }
    const parts: Part[] = []
    if (stream) {
      for await (const chunk of await client.models.generateContentStream(request))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    } else parts.push(...((await client.models.generateContent(request)).candidates?.[0]?.content?.parts ?? []))
    contents.push({ role: 'model', parts })
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    if (calls.length === 0) return parts.map(({ text }) => text ?? '').join('')
    const results = await Promise.all(
      calls.map(async ({ name = '', args }) => ({ functionResponse: { name, response: await getOrder(args as { id: string }) } })),
    )
    contents.push({ role: 'user', parts: results })
  }
}

/** The SDK speaks HTTP/2 unless it is given another handler. */
function createBedrockClient(endpoint: string): BedrockRuntimeClient {
  const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
  return new BedrockRuntimeClient({ endpoint, region: 'us-east-1', credentials, requestHandler: new NodeHttpHandler() })
}

async function askConverse(url: string, { model, system, description, temperature }: Settings, stream: boolean): Promise<string> {
  const client = createBedrockClient(url)
  const messages: Message[] = [{ role: 'user', content: [{ text: QUESTION }] }]
  for (;;) {
    const request: ConverseCommandInput = {
      modelId: model,
      system: [{ text: system }],
      messages,
      inferenceConfig: { temperature },
      toolConfig: { tools: [{ toolSpec: { name: 'get_order', description, inputSchema: { json: SCHEMA } } }] },
    }
    const content = stream
      ? await readConversed((await client.send(new ConverseStreamCommand(request))).stream ?? [])
      : ((await client.send(new ConverseCommand(request))).output?.message?.content ?? [])
    messages.push({ role: 'assistant', content })
    const calls = content.flatMap(({ toolUse }) => toolUse ?? [])
    if (calls.length === 0) return content.map(({ text }) => text ?? '').join('')
    const results = await Promise.all(
      calls.map(async ({ toolUseId, input }): Promise<ContentBlock> => {
        const order = await getOrder(input as { id: string })
        return { toolResult: { toolUseId, content: [{ json: order }] } }
      }),
    )
    messages.push({ role: 'user', content: results })
  }
}

type ConverseEvents = AsyncIterable<{
  readonly contentBlockStart?:
    | {
        readonly start?: { readonly toolUse?: { readonly toolUseId?: string | undefined; readonly name?: string | undefined } } | undefined
      }
    | undefined
  readonly contentBlockDelta?:
    | { readonly delta?: { readonly text?: string; readonly toolUse?: { readonly input?: string | undefined } } | undefined }
    | undefined
}>

async function readConversed(events: ConverseEvents | readonly never[]): Promise<ContentBlock[]> {
  let [text, input] = ['', '']
  let named: { readonly toolUseId?: string | undefined; readonly name?: string | undefined } | undefined
  for await (const { contentBlockStart, contentBlockDelta } of events) {
    named ??= contentBlockStart?.start?.toolUse
    text += contentBlockDelta?.delta?.text ?? ''
    input += contentBlockDelta?.delta?.toolUse?.input ?? ''
  }
  return named === undefined ? [{ text }] : [{ toolUse: { toolUseId: named.toolUseId, name: named.name, input: JSON.parse(input) } }]
}

async function askClaude(url: string, { model, system, description, temperature }: Settings, stream: boolean): Promise<string> {
  const client = createBedrockClient(url)
  const messages: unknown[] = [{ role: 'user', content: QUESTION }]
  for (;;) {
    const tools = [{ name: 'get_order', description, input_schema: SCHEMA }]
    const body = JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 100, system, temperature, tools, messages })
    const request = { modelId: model, contentType: 'application/json', body }
    const content = stream
      ? await readClaude((await client.send(new InvokeModelWithResponseStreamCommand(request))).body ?? [])
      : (JSON.parse((await client.send(new InvokeModelCommand(request))).body.transformToString()) as { content: readonly ClaudeBlock[] })
          .content
    messages.push({ role: 'assistant', content })
    const calls = content.filter(({ type }) => type === 'tool_use')
    if (calls.length === 0) return content.map(({ text }) => text ?? '').join('')
    const results = await Promise.all(calls.map(async ({ id, input }) => ({ id, order: await getOrder(input as { id: string }) })))
    messages.push({
      role: 'user',
      content: results.map(({ id, order }) => ({ type: 'tool_result', tool_use_id: id, content: JSON.stringify(order) })),
    })
  }
}

interface ClaudeBlock {
  readonly type: string
  readonly text?: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
}

async function readClaude(
  events: AsyncIterable<{ readonly chunk?: { readonly bytes?: Uint8Array | undefined } | undefined }> | readonly never[],
): Promise<readonly ClaudeBlock[]> {
  let [text, input] = ['', '']
  let call: ClaudeBlock | undefined
  for await (const { chunk } of events) {
    const event = JSON.parse(Buffer.from(chunk?.bytes ?? new Uint8Array()).toString()) as {
      readonly content_block?: ClaudeBlock
      readonly delta?: { readonly text?: string; readonly partial_json?: string }
    }
    if (event.content_block?.type === 'tool_use') call = event.content_block
    text += event.delta?.text ?? ''
    input += event.delta?.partial_json ?? ''
  }
  return call === undefined ? [{ type: 'text', text }] : [{ ...call, input: JSON.parse(input) }]
}

type CohereMessage = Parameters<CohereClientV2['chat']>[0]['messages'][number]
type CohereToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

async function askCohere(url: string, { model, system, description, temperature }: Settings, stream: boolean): Promise<string> {
  const client = new CohereClientV2({ token: 'test', environment: url })
  const messages: CohereMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: QUESTION },
  ]
  for (;;) {
    const tools = [{ type: 'function' as const, function: { name: 'get_order', description, parameters: SCHEMA } }]
    const request = { model, messages, temperature, tools }
    let text = ''
    const calls: CohereToolCall[] = []
    if (stream) {
      for await (const event of await client.chatStream(request)) {
        if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? ''
        if (event.type === 'tool-call-start') {
          const { id = '', function: called } = event.delta?.message?.toolCalls ?? {}
          calls.push({ id, type: 'function', function: { name: called?.name ?? '', arguments: '' } })
        }
        const piece = event.type === 'tool-call-delta' ? (event.delta?.message?.toolCalls?.function?.arguments ?? '') : ''
        for (const call of calls.slice(-1)) call.function.arguments += piece
      }
    } else {
      const { message } = await client.chat(request)
      text = (message.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
      for (const { id, function: called } of message.toolCalls ?? [])
        calls.push({ id, type: 'function', function: { name: called?.name ?? '', arguments: called?.arguments ?? '' } })
    }
    if (calls.length === 0) return text
    messages.push({ role: 'assistant', toolCalls: calls })
    for (const { id, function: called } of calls)
      messages.push({ role: 'tool', toolCallId: id, content: JSON.stringify(await getOrder(JSON.parse(called.arguments))) })
  }
}

async function askOllama(url: string, { model, system, description, temperature }: Settings, stream: boolean): Promise<string> {
  const client = new Ollama({ host: url })
  const messages: OllamaMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: QUESTION },
  ]
  for (;;) {
    const tools = [{ type: 'function', function: { name: 'get_order', description, parameters: SCHEMA } }]
    const request = { model, messages, options: { temperature }, tools }
    const parts: OllamaMessage[] = []
    if (stream) for await (const { message } of await client.chat({ ...request, stream: true })) parts.push(message)
    else parts.push((await client.chat(request)).message)
    const calls = parts.flatMap((part) => part.tool_calls ?? [])
    const content = parts.map((part) => part.content).join('')
    if (calls.length === 0) return content
    messages.push({ role: 'assistant', content, tool_calls: calls })
    for (const call of calls) {
      const order = await getOrder(call.function.arguments as { id: string })
      messages.push({ role: 'tool', tool_name: 'get_order', content: JSON.stringify(order) })
    }
  }
}
