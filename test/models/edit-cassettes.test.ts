import { expect, it } from 'vitest'
import type { Dialect, RequestEdit } from '../../src/models/dialect.ts'
import { dialectNamed } from '../../src/models/dialects.ts'
import { recogniseDialect } from '../../src/models/recognise-dialect.ts'
import { hasSharedData, keyOf, readExchanges, readTauConversations, textOfBody } from './shared-data.ts'

interface Sent {
  readonly key: string
  readonly name: string
  readonly url: string
  /** The body as it was sent, parsed and printed again. */
  readonly text: string
}

/** A body that only this test reads. */
// oxlint-disable-next-line typescript/no-explicit-any -- a raw body, read without the code under test
type Raw = any

/** Takes the place of a part out of a raw body, by the provider's documentation and not by the code under test. */
type Strip = (raw: Raw) => void

const isPrompt = ({ role }: Raw): boolean => role === 'system' || role === 'developer'
const textOf = (content: Raw): string => (typeof content === 'string' ? content : content.map(({ text }: Raw) => text).join(''))
const withoutPrompts: Strip = (raw) => {
  raw.messages = raw.messages.filter((message: Raw) => !isPrompt(message))
}
const withPromptsOnly: Strip = (raw) => {
  raw.messages = raw.messages.filter(isPrompt)
}
const promptsIn = (raw: Raw): string[] => raw.messages.filter(isPrompt).map(({ content }: Raw) => textOf(content))
const without =
  (...names: string[]): Strip =>
  (raw) => {
    for (const name of names) delete raw[name]
  }

interface Places {
  readonly system: Strip
  readonly messages: Strip
  readonly prompts: (raw: Raw) => string[]
  /** Where a prompt that was there before may differ after it was replaced. */
  readonly promptPaths: RegExp
  /** The record that holds the temperature, where it does not stand in the body itself. */
  readonly config?: string
}

const chat: Places = {
  system: withoutPrompts,
  messages: withPromptsOnly,
  prompts: promptsIn,
  promptPaths: /^messages\.0\.content(?:\.\d\.text)?$/,
}
const anthropic: Places = {
  system: without('system'),
  messages: without('messages'),
  prompts: ({ system }) => (typeof system === 'string' ? [system] : (system ?? []).map(({ text }: Raw) => text)),
  promptPaths: /^system(?:\.\d+(?:\.(?:text|cache_control(?:\..*)?|type))?)?$/,
}
const converse: Places = {
  system: without('system'),
  messages: without('messages'),
  prompts: ({ system }) => (system ?? []).flatMap(({ text }: Raw) => text ?? []),
  promptPaths: /^system\.0\.text$/,
  config: 'inferenceConfig',
}
const DIALECTS: Readonly<Record<string, (raw: Raw) => Places>> = {
  'openai.chat': () => chat,
  'cohere.chat': () => chat,
  'ollama.chat': () => ({ ...chat, config: 'options' }),
  'openai.responses': () => ({
    system(raw) {
      delete raw.instructions
      if (Array.isArray(raw.input)) raw.input = raw.input.filter((item: Raw) => !isPrompt(item))
    },
    messages(raw) {
      raw.input = Array.isArray(raw.input) ? raw.input.filter(isPrompt) : []
    },
    prompts: ({ instructions, input }) => [
      ...(instructions ? [instructions] : []),
      ...(Array.isArray(input) ? input.filter(isPrompt).map(({ content }: Raw) => textOf(content)) : []),
    ],
    promptPaths: /^(?:instructions|input\.0\.content(?:\.\d\.text)?)$/,
  }),
  'anthropic.messages': () => anthropic,
  'gemini.content': () => ({
    system: without('systemInstruction'),
    messages: without('contents'),
    prompts: ({ systemInstruction }) => (systemInstruction?.parts ?? []).map(({ text }: Raw) => text),
    promptPaths: /^systemInstruction\.parts\.0\.text$/,
    config: 'generationConfig',
  }),
  'bedrock.converse': () => converse,
  'bedrock.invoke': (raw) => (raw.anthropic_version ? anthropic : raw.inferenceConfig || raw.schemaVersion ? converse : chat),
}

const SYSTEM = 'You are a different agent.\n"Quote" ü 😀'
const MESSAGES: NonNullable<RequestEdit['messages']> = [
  { role: 'user', text: 'One' },
  { role: 'assistant', text: 'Two' },
  { role: 'user', text: 'Three' },
]

const calls = [...sentInCassettes(), ...sentInTau()]

it.skipIf(!hasSharedData)('finds model calls of every dialect in the real exchanges', () => {
  const counts = Object.groupBy(calls, ({ name }) => name)
  expect(Object.keys(counts).toSorted()).toEqual(Object.keys(DIALECTS).toSorted())
  expect(calls.length).toBeGreaterThan(160)
})

it.skipIf(!hasSharedData)('replaces the system prompt of real requests, and nothing else', () => {
  for (const call of calls) {
    const { dialect, before, after, url } = edit(call, { system: SYSTEM })
    const { system, ...rest } = dialect.request(after, url)
    const { system: _, ...restBefore } = dialect.request(before, call.url)
    expect({ key: call.key, system, ...rest }).toEqual({ key: call.key, ...restBefore, system: [SYSTEM] })
    const { prompts, promptPaths, system: strip } = placesOf(call)
    expect(prompts(after), call.key).toEqual([SYSTEM])
    expect(stripped(after, strip), call.key).toBe(stripped(before, strip))
    expect(url).toBe(call.url)
    const paths = prompts(before).length === 1 ? changedPaths(before, after) : []
    expect(
      paths.filter((path) => !promptPaths.test(path)),
      call.key,
    ).toEqual([])
  }
})

it.skipIf(!hasSharedData)('takes the system prompt of real requests away', () => {
  for (const call of calls) {
    const { dialect, before, after, url } = edit(call, { system: '' })
    expect(dialect.request(after, url).system, call.key).toEqual([])
    const { prompts, system: strip } = placesOf(call)
    expect(prompts(after), call.key).toEqual([])
    expect(stripped(after, strip), call.key).toBe(stripped(before, strip))
  }
})

it.skipIf(!hasSharedData)('replaces the conversation of real requests, and nothing else', () => {
  for (const call of calls) {
    const { dialect, before, after, url } = edit(call, { messages: MESSAGES })
    const { messages, ...rest } = dialect.request(after, url)
    const { messages: _, ...restBefore } = dialect.request(before, call.url)
    expect({ key: call.key, messages, ...rest }).toEqual({ key: call.key, ...restBefore, messages: MESSAGES })
    const { messages: strip, prompts } = placesOf(call)
    expect(stripped(after, strip), call.key).toBe(stripped(before, strip))
    expect(prompts(after), call.key).toEqual(prompts(before))
    expect(Object.keys(after), call.key).toEqual(Object.keys(before))
  }
})

it.skipIf(!hasSharedData)('replaces the model of real requests, and nothing else', () => {
  for (const call of calls) {
    // An invoked model's body is in the form of its family.
    const family = /anthropic|nova|mistral/.exec(call.url)?.[0]
    const model = call.name === 'bedrock.invoke' ? `${family === 'nova' ? 'amazon.nova' : family}-next-v1:0` : 'next-model'
    const { dialect, before, after, url } = edit(call, { model })
    expect({ key: call.key, ...dialect.request(after, url) }).toEqual({ key: call.key, ...dialect.request(before, call.url), model })
    const isInBody = !/^(?:gemini|bedrock)/.test(call.name)
    expect(changedPaths(before, after), call.key).toEqual(isInBody ? ['model'] : [])
    expect(JSON.stringify(after), call.key).toBe(JSON.stringify(isInBody ? { ...before, model } : before))
    // By hand, as the addresses in the recordings are: https://host/…/models/<model>:method, …/model/<model>/method, …/deployments/<model>/….
    const place = /^(.*\/(?:models?|deployments)\/)[^/]+?((?:%3A\d+|:\d+)?)((?::\w+|\/[a-z-]+|\/chat\/completions)(?:\?.*)?)$/
    const isInUrl = !isInBody || call.url.includes('/deployments/')
    expect(url, call.key).toBe(
      isInUrl ? call.url.replace(place, (_, start, _version, end) => start + encodeURIComponent(model) + end) : call.url,
    )
    expect(url !== call.url, call.key).toBe(isInUrl)
    expect(recogniseDialect('POST', url)).toBe(call.name)
  }
})

it.skipIf(!hasSharedData)('sets a sampling field of real requests, and nothing else', () => {
  for (const call of calls) {
    const { dialect, before, after, url } = edit(call, { sampling: { temperature: 0.123 } })
    const { sampling, ...rest } = dialect.request(after, url)
    const { sampling: samplingBefore, ...restBefore } = dialect.request(before, call.url)
    expect({ key: call.key, ...rest }).toEqual({ key: call.key, ...restBefore })
    expect(sampling).toEqual({ ...samplingBefore, temperature: 0.123 })
    const { config } = placesOf(call)
    const path = config === undefined ? 'temperature' : before[config] === undefined ? config : `${config}.temperature`
    expect(changedPaths(before, after), call.key).toEqual([path])
  }
})

function edit(call: Sent, change: RequestEdit): { dialect: Dialect; before: Raw; after: Raw; url: string } {
  const dialect = dialectNamed(call.name)
  if (dialect === undefined) throw new Error(`no dialect ${call.name}`)
  const before: Raw = JSON.parse(call.text)
  const { json, url } = dialect.editRequest(before, call.url, change)
  expect(JSON.stringify(before), call.key).toBe(call.text)
  return { dialect, before, after: json, url }
}

function placesOf({ name, text }: Sent): Places {
  const places = DIALECTS[name]
  if (places === undefined) throw new Error(`no places of ${name}`)
  return places(JSON.parse(text))
}

/** A body as text without the place of a part: what stands there has to be the same to the byte, in the same order of keys. */
function stripped(raw: Raw, strip: Strip): string {
  const copy: Raw = structuredClone(raw)
  strip(copy)
  return JSON.stringify(copy)
}

/** The paths of what differs between two JSON values, by value alone. */
function changedPaths(before: unknown, after: unknown, path = ''): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (!isNode(before) || !isNode(after) || Array.isArray(before) !== Array.isArray(after)) return [path]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) =>
    changedPaths(Reflect.get(before, name), Reflect.get(after, name), path === '' ? name : `${path}.${name}`),
  )
}

function sentInCassettes(): readonly Sent[] {
  return readExchanges().flatMap((exchange) => {
    const name = recogniseDialect(exchange.request.method, exchange.request.url)
    if (name === undefined) return []
    return [{ key: keyOf(exchange), name, url: exchange.request.url, text: JSON.stringify(JSON.parse(textOfBody(exchange.request))) }]
  })
}

function sentInTau(): readonly Sent[] {
  const url = 'https://api.openai.com/v1/chat/completions'
  return readTauConversations().map(({ file, messages }) => ({
    key: file,
    name: 'openai.chat',
    url,
    text: JSON.stringify({ messages, model: 'gpt-4o', tools: [], temperature: 0 }),
  }))
}
