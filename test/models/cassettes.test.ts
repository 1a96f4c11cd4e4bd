import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import type { Dialect, NormalAnswer, NormalRequest } from '../../src/models/dialect.ts'
import { recogniseDialect } from '../../src/models/dialects.ts'
import { hasSharedData, keyOf, readExchanges, textOfBody, type Exchange } from './shared-data.ts'

/**
 * What an exchange holds, as `cassette-readings.jsonl` has it: read from the raw lines of the bodies by a script that shares nothing with the
 * code under test, and checked against the bodies by eye. `turns` is a letter a message: system, user, assistant, tool.
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
    /** `args` as canonical JSON, or its SHA-256 where it is long. */
    readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
    readonly error?: string
  }
}

const readings = readFileSync(new URL('cassette-readings.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Reading => JSON.parse(line))
const exchanges = new Map(readExchanges().map((exchange) => [keyOf(exchange), exchange]))
const streams = readings.filter(({ request, answer }) => request.stream && answer.error === undefined)
const cases = readings.map((reading) => ({ name: `${reading.dialect} in ${keyOf(reading)}`, reading }))

it.skipIf(!hasSharedData)('recognises exactly the model calls of its dialects among all recorded exchanges', () => {
  const recognised = [...exchanges.values()].flatMap((exchange) => {
    const dialect = recogniseDialect(exchange.request.method, exchange.request.url)
    return dialect === undefined ? [] : [`${dialect.name} in ${keyOf(exchange)}`]
  })
  expect(exchanges.size).toBe(149)
  expect(recognised.toSorted()).toEqual(cases.map(({ name }) => name).toSorted())
})

it.skipIf(!hasSharedData).each(cases)('reads the request of $name', ({ reading }) => {
  const { exchange, dialect } = find(reading)
  const request = dialect.request(JSON.parse(textOfBody(exchange.request)), exchange.request.url)
  expect({ provider: request.provider, ...summaryOfRequest(request) }).toEqual({ provider: reading.provider, ...reading.request })
})

it.skipIf(!hasSharedData).each(cases)('reads the answer of $name', ({ reading }) => {
  const { exchange, dialect } = find(reading)
  const contentType = Object.entries(exchange.response.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1][0]
  const text = textOfBody(exchange.response)
  const answer = dialect.answer({ text }, contentType)
  expect(summaryOfAnswer(answer)).toEqual({ text: summaryOfAnswer(answer).text, ...reading.answer })
  expect(dialect.answer({ bytes: new TextEncoder().encode(text) }, undefined)).toEqual(answer)
  expect(dialect.answer(text.trimStart().startsWith('{') ? { json: JSON.parse(text) } : { text }, 'text/event-stream')).toEqual(answer)
})

it.skipIf(!hasSharedData)('reads what arrived of a stream that was cut after any event', () => {
  const faults: string[] = []
  let cuts = 0
  for (const reading of streams) {
    const { exchange, dialect } = find(reading)
    const events = eventsOf(exchange)
    const whole = dialect.answer({ text: events.join('') }, 'text/event-stream')
    for (let count = 0; count < events.length; count++) {
      const cut = dialect.answer({ text: events.slice(0, count).join('') }, 'text/event-stream')
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
      const events = eventsOf(exchange)
      const pieces = events.filter((event) => !/^event: response\.(?:completed|output_item\.done)$/m.test(event))
      const { stopReason, usage, ...told } = dialect.answer({ text: events.join('') }, 'text/event-stream')
      expect(dialect.answer({ text: pieces.join('') }, 'text/event-stream')).toEqual(told)
      return { stopReason, usage }
    })
  expect(names).toHaveLength(14)
})

it('covers every kind of answer of every dialect', () => {
  const kinds = new Set(
    readings.map(({ dialect, request, answer }) => `${dialect} ${request.stream ? 'stream' : 'json'} ${answer.stopReason}`),
  )
  for (const dialect of ['openai.chat', 'openai.responses', 'anthropic.messages']) {
    for (const kind of ['stream end', 'stream tool-calls', 'json end', 'json tool-calls']) expect(kinds).toContain(`${dialect} ${kind}`)
  }
})

function find(reading: Reading): { readonly exchange: Exchange; readonly dialect: Dialect } {
  const exchange = exchanges.get(keyOf(reading))
  if (exchange === undefined) throw new Error(`no exchange ${keyOf(reading)}`)
  const dialect = recogniseDialect(exchange.request.method, exchange.request.url)
  if (dialect === undefined) throw new Error(`not recognised: ${exchange.request.url}`)
  return { exchange, dialect }
}

function eventsOf(exchange: Exchange): readonly string[] {
  return textOfBody(exchange.response).split(/(?<=\n\n)/)
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
