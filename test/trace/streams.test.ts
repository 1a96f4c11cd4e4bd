import { existsSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { checked } from '../../src/trace/check-row.ts'
import { createDecoder } from '../../src/trace/codec/decoder.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import { splitEvents } from '../../src/trace/codec/event-template.ts'
import type { Row } from '../../src/trace/rows.ts'
import { decodeLines, encodeRows, header, toolCall } from './samples.ts'

const CASSETTES = new URL('../../../shared/data/cassettes/normalized.jsonl', import.meta.url)

interface Exchange {
  readonly provider: string
  readonly source: string
  readonly response: { readonly body: unknown; readonly bodyEncoding: string }
}

/** Bodies as their providers sent them. */
function readBodies(): { name: string; body: string }[] {
  const exchanges = readFileSync(CASSETTES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Exchange)
  return exchanges.flatMap(({ provider, source, response: { body, bodyEncoding } }, index) =>
    bodyEncoding === 'utf8' && typeof body === 'string' ? [{ name: `${provider} ${index} ${source}`, body }] : [],
  )
}

const delta = (text: string, id = 'chatcmpl-BxQ1', created = 1_720_000_000): string =>
  `data: {"id":"${id}","object":"chat.completion.chunk","created":${created},"model":"gpt-4o-2024-08-06","service_tier":"default",` +
  `"system_fingerprint":"fp_ee1d74bde0","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"logprobs":null,"finish_reason":null}]}\n\n`

const chunk = (step: number, text: string): Row => ({ kind: 'chunk', step, at: step, text })
const chunkTexts = (rows: readonly Row[]): unknown[] =>
  encodeRows(rows)
    .map((line) => JSON.parse(line) as { kind: string; text?: unknown })
    .filter((row) => row.kind === 'chunk')
    .map((row) => row.text)

it('writes an event of a known shape as what differs', () => {
  const rows = [header, toolCall(1), chunk(1, delta('Hel')), chunk(1, delta('lo')), chunk(1, delta('lo'))]
  expect(chunkTexts(rows)).toStrictEqual([{ like: 't1' }, { like: 't1', fill: { 7: 'lo' } }, { like: 't1', fill: { 7: 'lo' } }])
  expect(JSON.parse(encodeRows(rows)[2] ?? '')).toStrictEqual({ kind: 'text', ref: 't1', value: delta('Hel') })
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('writes the ids of a stream once', () => {
  const rows = [
    header,
    toolCall(1),
    chunk(1, delta('a')),
    toolCall(2),
    chunk(2, delta('b', 'chatcmpl-Other', 1_720_000_009)),
    chunk(2, delta('c', 'chatcmpl-Other', 1_720_000_009)),
    chunk(1, delta('d')),
  ]
  expect(chunkTexts(rows)).toStrictEqual([
    { like: 't1' },
    { like: 't1', fill: { 0: 'chatcmpl-Other', 2: 1_720_000_009, 7: 'b' } },
    { like: 't1', fill: { 7: 'c' } },
    { like: 't1', fill: { 7: 'd' } },
  ])
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('writes several events and cut ones as pieces', () => {
  const text = `${delta('a')}${delta('b')}data: [DONE]\n\n${delta('cut').slice(0, 90)}`
  const rows = [header, toolCall(1), chunk(1, text), chunk(1, delta('cut').slice(90))]
  expect(chunkTexts(rows)).toStrictEqual([
    [{ like: 't1' }, { like: 't1', fill: { 7: 'b' } }, `data: [DONE]\n\n${delta('cut').slice(0, 90)}`],
    delta('cut').slice(90),
  ])
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('keeps the spelling of a literal that printing would change', () => {
  const event = (literal: string): string =>
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"value":${literal}}\n\n`
  const literals = ['"a"', '"\\u00e9"', '1.0', '1e3', '-0', '12345678901234567890', '"\\/"', 'true', 'null', '"\\ud800"', '"tab\tin it"']
  const rows = [header, toolCall(1), ...literals.map((literal) => chunk(1, event(literal)))]
  expect(chunkTexts(rows)).toStrictEqual([
    { like: 't1' },
    { like: 't1', fill: { 2: { raw: '"\\u00e9"' } } },
    { like: 't1', fill: { 2: { raw: '1.0' } } },
    { like: 't1', fill: { 2: { raw: '1e3' } } },
    { like: 't1', fill: { 2: { raw: '-0' } } },
    { like: 't1', fill: { 2: { raw: '12345678901234567890' } } },
    { like: 't1', fill: { 2: { raw: '"\\/"' } } },
    { like: 't1', fill: { 2: true } },
    { like: 't1', fill: { 2: null } },
    { like: 't1', fill: { 2: '\ud800' } },
    { like: 't1', fill: { 2: { raw: '"tab\tin it"' } } },
  ])
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('takes the spaces that Anthropic pads its events with for a literal', () => {
  const event = (text: string, spaces: number): string =>
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}${' '.repeat(spaces)}}\n\n`
  const rows = [header, toolCall(1), chunk(1, event('a', 7)), chunk(1, event('b', 7)), chunk(1, event('c', 3))]
  expect(chunkTexts(rows)).toStrictEqual([
    { like: 't1' },
    { like: 't1', fill: { 3: 'b' } },
    { like: 't1', fill: { 3: 'c', 4: { raw: '   ' } } },
  ])
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('splits a text behind blank lines and before lines of JSON', () => {
  const cases: [text: string, events: string[]][] = [
    ['', ['']],
    ['\n\n', ['\n\n']],
    ['data: 1\n\ndata: 2\n\n', ['data: 1\n\n', 'data: 2\n\n']],
    ['data: 1\r\n\r\ndata: 2\r\rdata: 3', ['data: 1\r\n\r\n', 'data: 2\r\r', 'data: 3']],
    ['data: 1\n\n\n\ndata: 2', ['data: 1\n\n', '\n', '\n', 'data: 2']],
    ['data: 1\r\n\ndata: 2\n\r\ndata: 3', ['data: 1\r\n\n', 'data: 2\n\r\ndata: 3']],
    ['{"a":1}\n{"a":2}\n[{"a":3}]\r{', ['{"a":1}\n', '{"a":2}\n[{"a":3}]\r{']],
  ]
  for (const [text, events] of cases) expect(splitEvents(text)).toEqual(events)
})

it('writes other text as it came', () => {
  const texts = [
    'short: 1\n\n',
    `<html>${'<p>1</p>'.repeat(30)}</html>\n\n`,
    `data: {"a":"${'x'.repeat(60)}\u0000"}\n\n`,
    '\n',
    '',
    `data: ${'"'.repeat(61)}\n\n`,
  ]
  const rows = [header, toolCall(1), ...texts.map((text) => chunk(1, text))]
  expect(chunkTexts(rows).slice(0, 5)).toStrictEqual(texts.slice(0, 5))
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('spends little on each chunk of a long stream', () => {
  const events = Array.from({ length: 400 }, (_, index) => delta(` word${index}`))
  const rows = [header, toolCall(1), ...events.map((text) => chunk(1, text))]
  const size = encodeRows(rows).join('\n').length - encodeRows(rows.slice(0, 2)).join('\n').length
  const wire = events.join('').length
  expect(wire / size).toBeGreaterThan(3)
})

// The cassettes are third-party recordings that are not part of this repository: see their README.
it.skipIf(!existsSync(CASSETTES))('round-trips the body of every recorded exchange to the byte, however it is cut', () => {
  const bodies = readBodies()
  expect(bodies.length).toBeGreaterThan(100)
  const cuts: ((body: string) => string[])[] = [
    (body) => [body],
    (body) => body.split(/(?<=\n\n|\r\n\r\n)/),
    (body) => body.split(/(?<=\n)/),
    (body) => body.match(/[\s\S]{1,701}/g) ?? [],
    (body) => body.match(/[\s\S]{1,97}/g) ?? [],
  ]
  for (const cut of cuts) {
    const encoder = createEncoder()
    const decoder = createDecoder(checked)
    const send = (row: Row): (Row | undefined)[] => encoder.encode(row).map((line) => decoder.decode(line))
    send(header)
    bodies.forEach(({ name, body }, index) => {
      const step = index + 1
      send(toolCall(step))
      const read = cut(body).flatMap((text) => send(chunk(step, text)))
      expect(read.map((row) => (row?.kind === 'chunk' ? row.text : '')).join(''), name).toBe(body)
      send({ kind: 'return', step, at: step })
    })
  }
})
