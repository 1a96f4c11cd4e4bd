/**
 * Writes `cassette-readings.jsonl`: what each of the 149 recorded exchanges holds, read as plainly as can be, for `cassettes.test.ts` to hold the
 * dialects to. It shares nothing with `src/models`, neither code nor the way of reading: it looks for the few fields it needs wherever a body
 * has them. Look at what it writes before you believe it: `node test/models/write-cassette-readings.ts`.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { bytesOfBody, readExchanges, type ExchangeBody } from './shared-data.ts'

// Bodies of sixteen providers, read field by field: types would say nothing that is known of them.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const WORDS: Record<string, string> = {
  stop: 'end', eos: 'end', end_turn: 'end', stop_sequence: 'end', COMPLETE: 'end', STOP: 'end', completed: 'end',
  tool_calls: 'tool-calls', tool_use: 'tool-calls', TOOL_CALL: 'tool-calls',
  length: 'length', max_tokens: 'length', MAX_TOKENS: 'length',
} // prettier-ignore

const lines = readExchanges().map((exchange) => {
  const { source, index, request, response } = exchange
  const url = new URL(request.url)
  const dialect = dialectAt(url)
  const place = { source: source.split('/').at(-1), index, dialect }
  if (dialect === 'http') return place
  const [sent, bodies] = [JSON.parse(bytesOfBody(request).toString()), bodiesOf(response)]
  return { ...place, provider: providerAt(url), request: readRequest(dialect, sent, url), answer: readBodies(dialect, bodies) }
})
writeFileSync(new URL('cassette-readings.jsonl', import.meta.url), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

function dialectAt({ hostname, pathname }: URL): string {
  const end = pathname.split(/[/:]/).at(-1) ?? ''
  if (hostname === 'api.writer.com' || /\/(?:traces|files|vector_stores)\b/.test(pathname)) return 'http'
  if (end === 'completions') return 'openai.chat'
  if (end === 'responses') return 'openai.responses'
  if (end === 'messages') return 'anthropic.messages'
  if (end.endsWith('enerateContent')) return 'gemini.content'
  if (end.startsWith('converse')) return 'bedrock.converse'
  if (end.startsWith('invoke')) return 'bedrock.invoke'
  if (end === 'chat') return hostname === 'api.cohere.com' ? 'cohere.chat' : 'ollama.chat'
  return 'http'
}

function providerAt({ hostname }: URL): string {
  const words = ['openai.azure', 'openai', 'anthropic', 'bedrock', 'groq', 'mistral', 'cohere', 'openrouter', 'deepseek', 'together']
  const found =
    [...words, 'cerebras', 'huggingface', 'aiplatform', 'generativelanguage'].find((name) => hostname.includes(name)) ?? hostname
  const names: Record<string, string> = { 'openai.azure': 'azure', aiplatform: 'vertex', generativelanguage: 'google' }
  return names[found] ?? found
}

function readRequest(dialect: string, sent: Json, url: URL): object {
  const inPath = /\/models?\/([^/]+?)(?::\w+Content)?(?:\/|$)/.exec(url.pathname)?.[1]
  const stream = /stream/.test(url.pathname) || sent.stream === true
  return { model: sent.model ?? decodeURIComponent(inPath ?? ''), stream, turns: turnsOf(dialect, sent), tools: toolsOf(sent) }
}

/** A letter a message: system, user, assistant, tool. What an assistant said and asked for in one turn is one, each tool result is one. */
function turnsOf(dialect: string, sent: Json): string {
  const system = [sent.system, sent.instructions, sent.systemInstruction?.parts].flat().filter((part) => part !== undefined)
  const items = typeof sent.input === 'string' ? [{ role: 'user' }] : (sent.messages ?? sent.contents ?? sent.input)
  const letters: string = items.map(lettersOf).join('')
  // A turn of the responses API is several items.
  const turns = dialect === 'openai.responses' ? letters.replaceAll(/a+/g, 'a') : letters
  return 's'.repeat(system.length) + 's'.repeat(turns.split('s').length - 1) + turns.replaceAll('s', '')
}

function lettersOf(item: Json): string {
  if (item.role === 'system' || item.role === 'developer') return 's'
  if (item.role === 'tool' || item.type?.endsWith('output')) return 't'
  if (item.role === 'assistant' || item.role === 'model' || item.role === undefined) return 'a'
  const parts: Json[] = Array.isArray(item.content ?? item.parts) ? (item.content ?? item.parts) : [{}]
  const isResult = (part: Json): boolean => Boolean(part.toolResult ?? part.functionResponse) || part.type === 'tool_result'
  return parts
    .map((part) => (isResult(part) ? 't' : 'u'))
    .join('')
    .replaceAll(/u+/g, 'u')
}

function toolsOf(sent: Json): string[] {
  const tools: Json[] = (sent.tools ?? sent.toolConfig?.tools ?? []).flatMap((tool: Json) => tool.functionDeclarations ?? [tool])
  return tools.map((tool) => tool.name ?? tool.function?.name ?? tool.toolSpec?.name ?? tool.type ?? Object.keys(tool)[0])
}

/** The JSON values of an answer: one, or a stream's. */
function bodiesOf(response: ExchangeBody): Json[] {
  const bytes = bytesOfBody(response)
  if (bytes[0] === 0) return framesOf(bytes)
  const text = bytes.toString()
  if (/^\s*(?:data|event|:)/.test(text)) {
    const data = text.split(/\r?\n/).filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    return data.map((line) => JSON.parse(line.slice('data:'.length)))
  }
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

/** The payloads of an AWS event stream: a length, a length of headers, a checksum; headers; the payload; a checksum. */
function framesOf(bytes: Buffer): Json[] {
  const payloads: Json[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const payload = JSON.parse(bytes.subarray(at + 12 + bytes.readUInt32BE(at + 4), at + bytes.readUInt32BE(at) - 4).toString())
    const own = payload.bytes === undefined ? payload : JSON.parse(Buffer.from(payload.bytes, 'base64').toString())
    // Nova names the kind of an event around it.
    payloads.push(own.type === undefined && Object.keys(own).length <= 2 ? (Object.values(own).find(isEvent) ?? own) : own)
  }
  return payloads
}

function isEvent(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['role', 'delta', 'start', 'stopReason', 'usage', 'contentBlockIndex'].some((name) => name in value)
  )
}

function readBodies(dialect: string, bodies: Json[]): object {
  const read = new Map<string, (bodies: Json[]) => Answer>([
    ['openai.chat', readChat],
    ['openai.responses', readResponses],
    ['anthropic.messages', readAnthropic],
    ['gemini.content', readGemini],
    ['bedrock.converse', readConverse],
    ['cohere.chat', readCohere],
    ['ollama.chat', readOllama],
  ])
  const form =
    dialect !== 'bedrock.invoke' ? dialect : bodies.some(({ type }) => type !== undefined) ? 'anthropic.messages' : 'bedrock.converse'
  const { text = '', reasoning = '', calls = [], ...rest } = (read.get(form) as (bodies: Json[]) => Answer)(bodies)
  const failed = bodies.find((body) => body.error) ?? bodies[0]
  const error: unknown = failed.error?.message ?? failed.error ?? (typeof failed.message === 'string' ? failed.message : undefined)
  return {
    model: rest.model,
    ...(text.length <= 60 && { text }),
    textLength: text.length,
    textSha: sha(text),
    ...(reasoning !== '' && { reasoningLength: reasoning.length }),
    stopReason: error === undefined ? rest.stop : undefined,
    usage: rest.usage?.[0] === undefined ? undefined : rest.usage,
    cached: rest.cached,
    toolCalls: calls.map(({ id = '', name, args }) => ({
      id,
      name,
      args: shortJson(typeof args === 'string' ? JSON.parse(args || '{}') : args),
    })),
    ...(typeof error === 'string' && { error }),
  }
}

interface Answer {
  readonly model?: string
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: { id?: string; name: string; args: unknown }[]
  readonly stop?: string | undefined
  readonly usage?: [number, number] | undefined
  /** Tokens read from the cache. */
  readonly cached?: number | undefined
}

function joined(values: Json[]): string {
  return values.filter((value) => typeof value === 'string').join('')
}

function last(values: Json[]): Json {
  return values.findLast((value) => value !== undefined && value !== null)
}

function stopOf(value: Json): string | undefined {
  return value === undefined ? undefined : WORDS[value]
}

function readChat(bodies: Json[]): Answer {
  const choices = bodies.flatMap(({ choices: some = [] }) => some)
  const messages: Json[] = choices.map((choice) => choice.message ?? choice.delta)
  const calls: { id: string; name: string; args: string; index: number }[] = []
  for (const piece of messages.flatMap(({ tool_calls: some }) => some ?? [])) {
    const begun = piece.id && piece.function?.name ? undefined : calls.findLast(({ index }) => index === (piece.index ?? index))
    if (begun !== undefined) begun.args += piece.function?.arguments ?? ''
    else calls.push({ id: piece.id, name: piece.function.name, args: piece.function.arguments ?? '', index: piece.index ?? 0 })
  }
  const usage = last(bodies.map((body) => body.usage ?? body.x_groq?.usage))
  return {
    model: bodies.find(({ model }) => model)?.model,
    text: joined(messages.map(({ content }) => content)),
    reasoning: joined(messages.map((message) => message.reasoning_content || message.reasoning)),
    calls,
    stop: stopOf(last(choices.map((choice) => choice.finish_reason))),
    usage: usage && [usage.prompt_tokens, usage.completion_tokens],
    cached: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? usage?.cached_tokens,
  }
}

function readResponses(bodies: Json[]): Answer {
  const response = bodies.findLast((body) => body.response !== undefined)?.response ?? bodies[0]
  const items: Json[] = response.output ?? []
  const calls = items.filter(({ type }) => type === 'function_call')
  const parts = items.filter(({ type }) => type === 'message').flatMap(({ content }) => content)
  const thoughts = items.filter(({ type }) => type === 'reasoning')
  return {
    model: response.model,
    text: joined(parts.map(({ text }) => text)),
    reasoning: joined(thoughts.flatMap(({ content, summary }) => (content?.length > 0 ? content : summary)).map(({ text }) => text)),
    calls: calls.map(({ call_id: id, name, arguments: args }) => ({ id, name, args })),
    ...(response.status === 'completed' && { stop: calls.length > 0 ? 'tool-calls' : 'end' }),
    usage: response.usage && [response.usage.input_tokens, response.usage.output_tokens],
    cached: response.usage?.input_tokens_details?.cached_tokens,
  }
}

function readAnthropic(bodies: Json[]): Answer {
  const message = bodies[0].message ?? bodies[0]
  const whole: Json[] = message.content ?? []
  const deltas = (kind: string): Json[] =>
    bodies.flatMap(({ index, delta }) => (delta?.[kind] === undefined ? [] : { index, piece: delta[kind] }))
  const begun: Json[] = bodies.filter((body) => body.content_block?.type === 'tool_use')
  const inputOf = (index: number): string => joined(deltas('partial_json').map((delta) => (delta.index === index ? delta.piece : '')))
  const usage = Object.assign({}, ...bodies.flatMap((body) => [body.message?.usage, body.usage]).map(givenFields))
  return {
    model: message.model,
    text: joined([...whole.map(({ text }) => text), ...deltas('text').map(({ piece }) => piece)]),
    reasoning: joined([...whole.map(({ thinking }) => thinking), ...deltas('thinking').map(({ piece }) => piece)]),
    calls: [
      ...whole.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => ({ id, name, args: input })),
      ...begun.map(({ index, content_block: { id, name } }) => ({ id, name, args: inputOf(index) })),
    ],
    stop: stopOf(message.stop_reason ?? last(bodies.map(({ delta }) => delta?.stop_reason))),
    usage:
      usage.input_tokens === undefined
        ? undefined
        : [sum(usage, ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']), usage.output_tokens],
    cached: usage.cache_read_input_tokens,
  }
}

function readGemini(bodies: Json[]): Answer {
  const candidates = bodies.flatMap(({ candidates: some = [] }) => some)
  const parts = candidates.flatMap(({ content }) => content?.parts ?? [])
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
  const usage = last(bodies.map(({ usageMetadata }) => usageMetadata))
  const stop = stopOf(last(candidates.map(({ finishReason }) => finishReason)))
  return {
    model: bodies[0].modelVersion,
    text: joined(parts.map((part) => (part.thought ? '' : part.text))),
    reasoning: joined(parts.map((part) => (part.thought ? part.text : ''))),
    calls,
    ...(stop !== undefined && { stop: stop === 'end' && calls.length > 0 ? 'tool-calls' : stop }),
    usage: usage && [
      sum(usage, ['promptTokenCount', 'toolUsePromptTokenCount']),
      sum(usage, ['candidatesTokenCount', 'thoughtsTokenCount']),
    ],
    cached: usage?.cachedContentTokenCount,
  }
}

function readConverse(bodies: Json[]): Answer {
  const whole: Json[] = bodies[0].output?.message.content ?? []
  const begun = bodies.filter(({ start }) => start?.toolUse !== undefined)
  const inputOf = (index: number): string =>
    joined(bodies.map((body) => (body.contentBlockIndex === index ? body.delta?.toolUse?.input : '')))
  const usage = last(bodies.map((body) => body.usage))
  const cached = usage?.cacheReadInputTokens ?? usage?.cacheReadInputTokenCount
  return {
    text: joined([...whole.map(({ text }) => text), ...bodies.map(({ delta }) => delta?.text)]),
    calls: [
      ...whole.flatMap(({ toolUse }) => toolUse ?? []).map(({ toolUseId: id, name, input }) => ({ id, name, args: input })),
      ...begun.map(({ contentBlockIndex, start: { toolUse } }) => ({
        id: toolUse.toolUseId,
        name: toolUse.name,
        args: inputOf(contentBlockIndex),
      })),
    ],
    stop: stopOf(last(bodies.map(({ stopReason }) => stopReason))),
    usage: usage && [usage.inputTokens + (cached ?? 0) + (usage.cacheWriteInputTokens ?? 0), usage.outputTokens],
    cached,
  }
}

function readCohere(bodies: Json[]): Answer {
  const said = bodies.flatMap((body) => body.delta?.message ?? [])
  const begun = bodies.filter(({ type }) => type === 'tool-call-start')
  const inputOf = (at: number): string =>
    joined(
      bodies.map(({ type, index, delta }) =>
        type === 'tool-call-delta' && index === at ? delta.message.tool_calls.function.arguments : '',
      ),
    )
  const end = bodies.find(({ type }) => type === 'message-end').delta
  return {
    text: joined(said.map(({ content }) => content?.text)),
    reasoning: joined(said.map(({ tool_plan: plan }) => plan)),
    calls: begun.map(({ index, delta }) => ({
      id: delta.message.tool_calls.id,
      name: delta.message.tool_calls.function.name,
      args: inputOf(index),
    })),
    stop: stopOf(end.finish_reason),
    usage: [end.usage.tokens.input_tokens, end.usage.tokens.output_tokens],
    cached: end.usage.cached_tokens,
  }
}

function readOllama(bodies: Json[]): Answer {
  const end = bodies.find(({ done }) => done)
  return {
    model: bodies[0].model,
    text: joined(bodies.map(({ message }) => message?.content)),
    stop: stopOf(end?.done_reason),
    usage: end && [end.prompt_eval_count, end.eval_count],
  }
}

function givenFields(usage: Json): Json {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null))
}

function sum(counts: Json, names: string[]): number {
  return names.reduce((total, name) => total + (counts[name] ?? 0), 0)
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value, (_, field: Json) =>
    field?.constructor === Object
      ? Object.fromEntries(Object.entries(field).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : field,
  )
  return text.length <= 100 ? text : `sha256:${sha(text)}`
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
