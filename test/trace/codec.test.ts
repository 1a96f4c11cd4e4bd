import { expect, it } from 'vitest'

import { createEncoder } from '../../src/trace/codec/encoder.ts'
import type { Row } from '../../src/trace/rows.ts'
import { UnkeptValue } from '../../src/trace/unkept-value.ts'
import { decodeLines, encodeRows, header, modelCall, samples, toolCall } from './samples.ts'

const long = (name: string): string => `${name} `.repeat(100)
const lastLine = (rows: readonly Row[]): unknown => JSON.parse(encodeRows(rows).at(-1) ?? '')
const textRows = (rows: readonly Row[]): unknown[] =>
  encodeRows(rows)
    .filter((line) => line.startsWith('{"kind":"text"'))
    .map((line) => JSON.parse(line) as unknown)

it.each(samples)('round-trips a row: $name', ({ row, before }) => {
  const lines = encodeRows([...before, row])
  const decoded = decodeLines(lines)
  expect(decoded.at(-1)).toStrictEqual(row)
  expect(lines.every((line) => !line.includes('\n'))).toBe(true)
  // What was read is written as it was.
  expect(encodeRows(decoded)).toStrictEqual(lines)
})

it('has a sample of every kind of row', () => {
  const kinds: Record<Row['kind'], true> = {
    run: true,
    call: true,
    head: true,
    chunk: true,
    return: true,
    throw: true,
    timer: true,
    reads: true,
    signal: true,
    preamble: true,
    'stand-in': true,
    checkpoint: true,
    note: true,
    end: true,
    closed: true,
  }
  expect([...new Set(samples.map(({ row }) => row.kind))].toSorted()).toStrictEqual(Object.keys(kinds).toSorted())
})

it.each(samples)('writes the fields of a row in one order, however they came: $name', ({ row, before }) => {
  const reversed = Object.fromEntries(Object.entries(row).toReversed()) as Row
  expect(encodeRows([...before, reversed])).toStrictEqual(encodeRows([...before, row]))
})

it('writes rows that read like a transcript', () => {
  const rows: Row[] = [
    header,
    { ...toolCall(1), effect: 'read' },
    { kind: 'return', step: 1, at: 2.5, output: { status: 'packed' } },
    { kind: 'end', at: 3, usage: { inputTokens: 0, outputTokens: 0 }, output: 'cancelled' },
  ]
  expect(encodeRows(rows)).toStrictEqual([
    '{"kind":"run","format":1,"id":"run_1","traceId":"4bf92f3577b34da6a3ce929d0e0e4736","agent":"support","input":{"ticket":"cancel my order"},' +
      '"startedAt":"2026-03-01T08:00:00.000Z","runtime":{"node":"v24.0.0","goldenrun":"0.1.0","timeZone":"UTC","locale":"en-US","env":{}},' +
      '"contracts":{"models":[],"systemPrompts":[],"tools":{}},"fidelity":"wire","redaction":{"rules":[],"standIns":0}}',
    '{"kind":"call","step":1,"owner":0,"boundary":"tool","name":"get_order","effect":"read","input":{"id":"ord_1"},"at":1}',
    '{"kind":"return","step":1,"at":2.5,"output":{"status":"packed"}}',
    '{"kind":"end","output":"cancelled","at":3,"usage":{"inputTokens":0,"outputTokens":0}}',
  ])
})

it('stores a value of more than 256 bytes once, and small ones in place', () => {
  const fits = 'x'.repeat(254)
  const tooLong = 'x'.repeat(255)
  expect(textRows([header, toolCall(1, { input: fits })])).toStrictEqual([])
  expect(textRows([header, toolCall(1, { input: tooLong }), toolCall(2, { input: tooLong })])).toStrictEqual([
    { kind: 'text', ref: 't1', value: tooLong },
  ])
  // 86 characters, 258 bytes with the quotation marks.
  expect(textRows([header, toolCall(1, { input: '€'.repeat(85).concat('a') })])).toHaveLength(1)
  expect(textRows([header, toolCall(1, { input: '€'.repeat(84) })])).toHaveLength(0)
})

it('stores equal values once wherever they stand', () => {
  const order = { id: 'ord_1', note: long('a note') }
  const rows: Row[] = [
    header,
    toolCall(1, { input: order }),
    { kind: 'return', step: 1, at: 2, output: structuredClone(order) },
    { kind: 'checkpoint', owner: 0, name: 'found', state: structuredClone(order), at: 3 },
    { kind: 'end', at: 4, usage: { inputTokens: 0, outputTokens: 0 }, output: structuredClone(order) },
  ]
  expect(textRows(rows)).toStrictEqual([{ kind: 'text', ref: 't1', value: order }])
  expect(lastLine(rows)).toMatchObject({ output: { $: 't1' } })
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('emits a text row right before the row that refers to it', () => {
  const encoder = createEncoder()
  encoder.encode(header)
  expect(encoder.encode(toolCall(1, { input: [long('a text')] })).map((line) => line.slice(0, 22))).toStrictEqual([
    '{"kind":"text","ref":"',
    '{"kind":"call","step":',
  ])
  expect(encoder.encode(toolCall(2, { input: [long('a text')] }))).toHaveLength(1)
})

it('keeps the header whole, since it is the first line', () => {
  const rows: Row[] = [{ ...header, input: { ticket: long('a ticket') } }]
  expect(textRows(rows)).toStrictEqual([])
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('keeps an HTTP call legible and stores its parts', () => {
  const system = { role: 'system', content: long('policy') }
  const tools = [{ type: 'function', function: { name: 'get_order', description: long('finds') } }]
  expect(
    lastLine([header, modelCall(1, { model: 'm', messages: [system, { role: 'user', content: 'hi' }], tools, stream: true })]),
  ).toStrictEqual({
    kind: 'call',
    step: 1,
    owner: 0,
    boundary: 'model',
    name: 'openai.chat',
    input: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: [['content-type', 'application/json']],
      json: { model: 'm', messages: [{ $: 't1' }, { role: 'user', content: 'hi' }], tools: [{ $: 't2' }], stream: true },
    },
    at: 1,
  })
})

it('keeps the bodies of HTTP steps apart from what stands for something', () => {
  const json = {
    $: 't1',
    messages: [{ $: { after: 1, add: [] } }],
    odd: { $: { date: 'soon' } },
    list: [{ $: 1 }, { role: 'user', content: long('$') }],
  }
  const rows: Row[] = [
    header,
    modelCall(1, json),
    { kind: 'return', step: 1, at: 1, output: { status: 200, json: { $: 't1' } } },
    modelCall(2, { $: { bytes: '' } }),
    modelCall(3, [{ $: 't1' }]),
    modelCall(4, null),
  ]
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('round-trips bodies of bytes and text', () => {
  const rows: Row[] = [
    header,
    {
      ...toolCall(1),
      boundary: 'http',
      name: 'example.com',
      input: { method: 'PUT', url: 'https://example.com/', headers: [], bytes: new Uint8Array(300).fill(7) },
    },
    { kind: 'return', step: 1, at: 1, output: { status: 200, headers: [['a', 'b']], trailers: [['c', 'd']], text: long('<p>') } },
    { ...toolCall(2), boundary: 'http', name: 'example.com', input: { method: 'GET', url: 'https://example.com/', headers: [] } },
    { kind: 'return', step: 2, at: 1, output: { status: 204, headers: [] } },
  ]
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('revives rich values in stored texts at each place', () => {
  const state = { at: new Date(0), note: long('a note') }
  const rows: Row[] = [
    header,
    { kind: 'checkpoint', owner: 0, name: 'a', state, at: 1 },
    { kind: 'checkpoint', owner: 0, name: 'b', state, at: 2 },
  ]
  const [, first, second] = decodeLines(encodeRows(rows))
  expect([first, second]).toStrictEqual(rows.slice(1))
  expect(first?.kind === 'checkpoint' && second?.kind === 'checkpoint' && first.state !== second.state).toBe(true)
})

it('round-trips a value that refers back to itself and is stored', () => {
  const input: Record<string, unknown> = { note: long('a note'), messages: [{ role: 'user', content: long('hi') }] }
  input['self'] = input
  const decoded = decodeLines(encodeRows([header, toolCall(1, { input }), toolCall(2, { input })]))
  for (const row of decoded.slice(1)) {
    const revived = (row as { input: Record<string, unknown> }).input
    expect(revived['self']).toBe(revived)
    expect(revived['messages']).toStrictEqual(input['messages'])
  }
})

it('reports what it cannot keep, and whose it is', () => {
  const told: string[][] = []
  const encoder = createEncoder({ onUnkept: (...report) => told.push(report) })
  const stream = new ReadableStream()
  const rows: Row[] = [
    { ...header, input: { stream } },
    toolCall(1, { input: { stream } }),
    { kind: 'return', step: 1, at: 1, output: [stream] },
    toolCall(2),
    {
      kind: 'throw',
      step: 2,
      at: 2,
      error: { name: 'E', message: '', fields: { stream }, cause: { name: 'E', message: '', value: stream } },
    },
    { kind: 'checkpoint', owner: 0, name: 'found', state: stream, at: 3 },
    { kind: 'signal', name: 'message', value: stream, at: 3 },
    { kind: 'end', at: 4, usage: { inputTokens: 0, outputTokens: 0 }, output: { stream } },
  ]
  const lines = rows.flatMap((row) => encoder.encode(row))
  expect(told).toStrictEqual([
    ['input of the run', '$.stream', 'a stream'],
    ['input of step 1', '$.stream', 'a stream'],
    ['output of step 1', '$[0]', 'a stream'],
    ['error of step 2', '$', 'a stream'],
    ['error of step 2', '$.stream', 'a stream'],
    ['state of checkpoint "found"', '$', 'a stream'],
    ['value of signal "message"', '$', 'a stream'],
    ['output of the run', '$.stream', 'a stream'],
  ])
  expect(decodeLines(lines)[1]).toMatchObject({ input: { stream: new UnkeptValue('$.stream', 'a stream') } })
})

it('round-trips items that refer back to the value they stand in', () => {
  const input: { messages: object[] } = { messages: [] }
  const grow = (index: number): void => void input.messages.push({ role: 'user', content: long(`message ${index}`), conversation: input })
  grow(0)
  grow(1)
  const encoder = createEncoder()
  const lines = [...encoder.encode(header), ...encoder.encode(toolCall(1, { input }))]
  grow(2)
  lines.push(...encoder.encode(toolCall(2, { input })))
  const revived = (decodeLines(lines)[2] as { input: { messages: { conversation: unknown }[] } }).input
  expect(revived.messages.map((message) => message.conversation === revived)).toStrictEqual([true, true, true])
})

it('tells where in a stored message something was not kept', () => {
  const message = (index: number): object => ({ role: 'tool', content: long(`result ${index}`), run: () => index })
  const rows = [header, toolCall(1, { input: { messages: [message(0)] } }), toolCall(2, { input: { messages: [message(0), message(1)] } })]
  const lines = encodeRows(rows)
  expect(lines.at(-1)).toContain('"input":{"messages":{"$":{"after":1,"add":[{"$":"t2"}]}}}')
  const marker = (index: number): object => ({ run: new UnkeptValue(`$.messages[${index}].run`, 'a function') })
  const decoded = decodeLines(lines)
  expect(decoded[1]).toMatchObject({ input: { messages: [marker(0)] } })
  expect(decoded[2]).toMatchObject({ input: { messages: [marker(0), marker(1)] } })
})

it('reads a value as it was when its row was written', () => {
  const encoder = createEncoder()
  const input = { messages: [{ role: 'user', content: 'before' }] }
  const lines = [...encoder.encode(header), ...encoder.encode(toolCall(1, { input }))]
  const message = input.messages[0]
  if (message !== undefined) message.content = 'after'
  lines.push(...encoder.encode(toolCall(2, { input })))
  expect(decodeLines(lines).slice(1)).toMatchObject([
    { input: { messages: [{ content: 'before' }] } },
    { input: { messages: [{ content: 'after' }] } },
  ])
})

it('pollutes nothing, whatever the keys', () => {
  const json: unknown = JSON.parse(
    '{"__proto__":{"polluted":1},"messages":[{"__proto__":{"polluted":2},"role":"user"}],"constructor":{"prototype":{"polluted":3}}}',
  )
  const rows: Row[] = [header, modelCall(1, json), toolCall(2, { input: json })]
  const lines = encodeRows(rows)
  const decoded = decodeLines(lines)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(encodeRows(decoded)).toStrictEqual(lines)
  expect(JSON.stringify((decoded[2] as { input: unknown }).input)).toBe(JSON.stringify(json))
  expect(Object.getPrototypeOf((decoded[2] as { input: object }).input)).toBe(Object.prototype)
})

it('writes a head as its difference from an earlier head with the same names', () => {
  const head = (step: number, values: readonly [string, string, string], leftOut: readonly string[] = ['cf-ray']): Row => ({
    kind: 'head',
    step,
    at: step,
    status: 200,
    headers: [
      ['Date', values[0]],
      ['x-page', values[1]],
      ['X-Page', values[2]],
    ],
    leftOut,
  })
  const calls = [1, 2, 3, 4].map((step): Row => modelCall(step, { model: 'gpt-4o' }))
  const early: Row = { kind: 'head', step: 4, at: 4, status: 103, headers: [['Link', '</a.css>']] }
  const rows = [
    { ...header, format: 3 },
    ...calls,
    head(1, ['a', '1', '2']),
    head(2, ['a', '1', '2']),
    head(3, ['b', '1', '3'], []),
    early,
    head(4, ['b', '1', '3']),
  ]
  const lines = encodeRows(rows)
  const heads = lines.map((line) => JSON.parse(line) as { kind: string; headers: unknown }).filter(({ kind }) => kind === 'head')
  expect(heads.map(({ headers }) => headers)).toEqual([
    expect.any(Array),
    { like: 1 },
    expect.any(Array),
    [['Link', '</a.css>']],
    { like: 1, set: { 0: 'b', 2: '3' } },
  ])
  expect(decodeLines(lines)).toStrictEqual(rows)
  expect(encodeRows([{ ...header, format: 2 }, ...rows.slice(1)]).join('')).not.toContain('"like"')
})

it('refuses a head that is like one that is missing', () => {
  const lines = encodeRows([header, modelCall(1, {})])
  const head = '{"kind":"head","step":1,"at":1,"status":200,"headers":{"like":7}}'
  expect(() => decodeLines([...lines, head])).toThrow('"headers" of a head row are like those of step 7, which has no earlier head row')
})
