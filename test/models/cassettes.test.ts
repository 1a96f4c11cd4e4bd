import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import type { Dialect, NormalAnswer, NormalRequest } from '../../src/models/dialect.ts'
import { dialectNamed } from '../../src/models/dialects.ts'
import { recogniseDialect } from '../../src/models/recognise-dialect.ts'
import { bodyFromBytes } from '../../src/trace/body.ts'
import type { HttpBody } from '../../src/trace/rows.ts'
import { bytesOfBody, hasSharedData, keyOf, readExchanges, type Exchange } from './shared-data.ts'

/** What an exchange is, as `cassette-readings.jsonl` has it: a model call of a dialect, or plain `http`. */
type Line = Reading | { readonly source: string; readonly index: number; readonly dialect: 'http' }

/**
 * What a model call holds: read from the raw bodies by `write-cassette-readings.ts`, which shares nothing with the code under test, and checked
 * against the bodies by eye. `turns` is a letter a message: system, user, assistant, tool.
 */
interface Reading {
  readonly source: string
  readonly index: number
  readonly dialect: string
  readonly provider: string
  readonly request: { readonly model: string; readonly stream: boolean; readonly turns: string; readonly tools: readonly string[] }
  readonly answer: {
    readonly model?: string
    /** Where it is short. */
    readonly text?: string
    readonly textLength: number
    /** The first 16 digits. */
    readonly textSha: string
    readonly reasoningLength?: number
    readonly stopReason?: string
    readonly usage?: readonly [input: number, output: number]
    /** Tokens read from the provider's cache. */
    readonly cached?: number
    /** `args` as canonical JSON, or its SHA-256 where it is long. */
    readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
    readonly error?: string
  }
}

const lines = readFileSync(new URL('cassette-readings.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Line => JSON.parse(line))
const readings = lines.filter((line): line is Reading => line.dialect !== 'http')
const exchanges = new Map(readExchanges().map((exchange) => [keyOf(exchange), exchange]))
const streams = readings.filter(({ request, answer }) => request.stream && answer.error === undefined)
const cases = readings.map((reading) => ({ name: `${reading.dialect} in ${keyOf(reading)}`, reading }))

it.skipIf(!hasSharedData)('recognises each recorded exchange as a call of its dialect, or as none', () => {
  const recognised = [...exchanges.values()].map(
    (exchange) => `${keyOf(exchange)}: ${recogniseDialect(exchange.request.method, exchange.request.url) ?? 'http'}`,
  )
  expect(exchanges.size).toBe(149)
  expect(recognised).toEqual(lines.map((line) => `${keyOf(line)}: ${line.dialect}`))
})

it.skipIf(!hasSharedData).each(cases)('reads the request of $name', ({ reading }) => {
  const { exchange, dialect } = find(reading)
  const request = dialect.request(JSON.parse(bytesOfBody(exchange.request).toString()), exchange.request.url)
  expect({ provider: request.provider, ...summaryOfRequest(request) }).toEqual({ provider: reading.provider, ...reading.request })
})

it.skipIf(!hasSharedData).each(cases)('reads the answer of $name', ({ reading }) => {
  const { exchange, dialect } = find(reading)
  const contentType = Object.entries(exchange.response.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1][0]
  const answer = dialect.answer(bodyOf(exchange), contentType)
  expect(summaryOfAnswer(answer)).toEqual({ text: summaryOfAnswer(answer).text, ...reading.answer })
  // The body says what it is, whatever it was stored as, and whatever type it is said to be.
  const bytes = bytesOfBody(exchange.response)
  expect(dialect.answer({ bytes }, undefined)).toEqual(answer)
  expect(dialect.answer(bodyFromBytes(bytes), 'text/event-stream')).toEqual(answer)
})

it.skipIf(!hasSharedData)('reads what arrived of a stream that was cut after any event', () => {
  const faults: string[] = []
  let cuts = 0
  for (const reading of streams) {
    const { exchange, dialect } = find(reading)
    const events = eventsOf(exchange)
    const whole = dialect.answer(joined(events), 'text/event-stream')
    for (let count = 0; count < events.length; count++) {
      const cut = dialect.answer(joined(events.slice(0, count)), 'text/event-stream')
      if (!isBeginningOf(whole, cut)) faults.push(`${keyOf(reading)} after ${count} of ${events.length} events`)
      cuts++
    }
  }
  expect(faults).toEqual([])
  expect(cuts).toBeGreaterThan(1500)
})

it.skipIf(!hasSharedData)('puts a responses stream together from its pieces as its last event tells it', () => {
  const names = streams
    .filter(({ dialect }) => dialect === 'openai.responses')
    .map((reading) => {
      const { exchange, dialect } = find(reading)
      const events = eventsOf(exchange).map(String)
      const pieces = events.filter((event) => !/^event: response\.(?:completed|output_item\.done)$/m.test(event))
      const { stopReason, usage, ...told } = dialect.answer({ text: events.join('') }, 'text/event-stream')
      expect(dialect.answer({ text: pieces.join('') }, 'text/event-stream')).toEqual(told)
      return { stopReason, usage }
    })
  expect(names).toHaveLength(14)
})

it('covers every kind of answer that the recorded exchanges have', () => {
  const kinds = new Set(
    readings.map(({ dialect, request, answer }) => `${dialect} ${request.stream ? 'stream' : 'json'} ${answer.stopReason}`),
  )
  for (const dialect of ['openai.chat', 'openai.responses', 'anthropic.messages', 'gemini.content']) {
    for (const kind of ['stream end', 'stream tool-calls', 'json end', 'json tool-calls']) expect(kinds).toContain(`${dialect} ${kind}`)
  }
  const others = [
    'bedrock.converse stream tool-calls',
    'bedrock.converse stream end',
    'bedrock.invoke stream length',
    'bedrock.invoke json end',
  ]
  const fewer = ['cohere.chat stream tool-calls', 'cohere.chat stream end', 'ollama.chat stream end', 'ollama.chat json end']
  for (const kind of [...others, ...fewer]) expect(kinds).toContain(kind)
})

function find(reading: Reading): { readonly exchange: Exchange; readonly dialect: Dialect } {
  const exchange = exchanges.get(keyOf(reading))
  if (exchange === undefined) throw new Error(`no exchange ${keyOf(reading)}`)
  const dialect = dialectNamed(recogniseDialect(exchange.request.method, exchange.request.url) ?? '')
  if (dialect === undefined) throw new Error(`not recognised: ${exchange.request.url}`)
  return { exchange, dialect }
}

function bodyOf({ response }: Exchange): HttpBody {
  const bytes = bytesOfBody(response)
  return bytes[0] === 0 ? { bytes } : { text: bytes.toString() }
}

/** The events of a stream: server-sent events, lines, or frames that begin with their length. */
function eventsOf({ response }: Exchange): readonly (string | Buffer)[] {
  const bytes = bytesOfBody(response)
  if (bytes[0] !== 0) return bytes.toString().split(bytes[0] === OPENING_BRACE ? /(?<=\n)/ : /(?<=\n\n)/)
  const frames: Buffer[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) frames.push(bytes.subarray(at, at + bytes.readUInt32BE(at)))
  return frames
}

const OPENING_BRACE = '{'.charCodeAt(0)

function joined(events: readonly (string | Buffer)[]): HttpBody {
  const bytes = Buffer.concat(events.map((event) => Buffer.from(event)))
  return bytes[0] === 0 ? { bytes } : { text: bytes.toString() }
}

/** Whether an answer is what another was before its end: once it has a reason for having stopped, only its usage may be missing. */
function isBeginningOf(whole: NormalAnswer, cut: NormalAnswer): boolean {
  if (cut.error !== undefined) return false
  if (cut.stopReason !== undefined) return isDeepStrictEqual({ ...cut, usage: undefined }, { ...whole, usage: undefined })
  const names = whole.toolCalls.slice(0, cut.toolCalls.length).map(({ name }) => name)
  const beginsAlike = whole.text.startsWith(cut.text) && (whole.reasoning ?? '').startsWith(cut.reasoning ?? '')
  return (
    beginsAlike &&
    isDeepStrictEqual(
      names,
      cut.toolCalls.map(({ name }) => name),
    )
  )
}

function summaryOfRequest({ model, stream, system, messages, tools }: NormalRequest): Reading['request'] {
  const turns = 's'.repeat(system.length) + messages.map(({ role }) => role[0]).join('')
  return { model, stream, turns, tools: tools.map(({ name }) => name) }
}

function summaryOfAnswer({ model, text, reasoning, stopReason, usage, toolCalls, error }: NormalAnswer): Reading['answer'] {
  return {
    ...(model !== undefined && { model }),
    text,
    textLength: text.length,
    textSha: sha(text),
    ...(reasoning !== undefined && { reasoningLength: reasoning.length }),
    ...(stopReason !== undefined && { stopReason }),
    ...(usage !== undefined && { usage: [usage.inputTokens, usage.outputTokens] }),
    ...(usage?.cacheReadTokens !== undefined && { cached: usage.cacheReadTokens }),
    toolCalls: toolCalls.map(({ id, name, args }) => ({ id: id ?? '', name, args: shortJson(args) })),
    ...(error !== undefined && { error: error.message }),
  }
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(sorted(value))
  return text.length <= 100 ? text : `sha256:${sha(text)}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, field]) => [key, sorted(field)]))
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
