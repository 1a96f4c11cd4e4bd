import { expect, it } from 'vitest'

import { assembleTrace } from '../../src/trace/assemble.ts'
import { toGoldenRows } from '../../src/trace/compact.ts'
import type { HeaderPairs } from '../../src/trace/http-facts.ts'
import type { CallRow, Row } from '../../src/trace/rows.ts'
import type { Step } from '../../src/trace/trace.ts'
import { digest, fullError, header, thrownBy, toolCall } from './samples.ts'

const JSON_TYPE: HeaderPairs = [['content-type', 'application/json']]
const call = (step: number): CallRow => ({
  ...toolCall(step),
  boundary: 'http',
  name: 'example.com',
  input: { method: 'GET', url: 'https://example.com/', headers: [] },
})
const head = (step: number, at: number, headers: HeaderPairs = JSON_TYPE): Row => ({ kind: 'head', step, at, status: 200, headers })
const text = (step: number, at: number, part: string): Row => ({ kind: 'chunk', step, at, text: part })
const inTick = (row: Row): Row => ({ ...row, sameTick: true }) as Row
const stepsOf = (rows: readonly Row[]): readonly Step[] => assembleTrace([header, ...rows], digest).steps

it('makes steps of calls and how they settled', () => {
  const rows: Row[] = [
    { ...toolCall(1), effect: 'write', idempotencyKey: 'k', attempt: 2 },
    toolCall(2, { owner: 1 }),
    toolCall(3),
    { kind: 'throw', step: 2, at: 5, error: fullError },
    { kind: 'return', step: 1, at: 6, output: { ok: true } },
    toolCall(4),
    { kind: 'return', step: 4, at: 7 },
  ]
  expect(stepsOf(rows)).toStrictEqual([
    {
      step: 1,
      owner: 0,
      boundary: 'tool',
      name: 'get_order',
      effect: 'write',
      idempotencyKey: 'k',
      attempt: 2,
      input: { id: 'ord_1' },
      output: { ok: true },
      at: 1,
      settledAt: 6,
    },
    { step: 2, owner: 1, boundary: 'tool', name: 'get_order', input: { id: 'ord_1' }, error: fullError, at: 2, settledAt: 5 },
    { step: 3, owner: 0, boundary: 'tool', name: 'get_order', input: { id: 'ord_1' }, at: 3 },
    { step: 4, owner: 0, boundary: 'tool', name: 'get_order', input: { id: 'ord_1' }, at: 4, settledAt: 7 },
  ])
})

it('makes an HTTP answer of its head, its chunks and its end', () => {
  const rows: Row[] = [
    call(1),
    head(1, 2),
    text(1, 3, '{"a":'),
    text(1, 4, '1}'),
    { kind: 'return', step: 1, at: 5, output: { trailers: [['t', '1']] } },
  ]
  expect(stepsOf(rows)[0]).toMatchObject({ settledAt: 5 })
  expect(stepsOf(rows)[0]?.output).toStrictEqual({ status: 200, headers: JSON_TYPE, trailers: [['t', '1']], json: { a: 1 } })
})

it('makes a body of chunks that break within a character', () => {
  const bytes = (...values: number[]): Row => ({ kind: 'chunk', step: 1, at: 1, bytes: Uint8Array.from(values) })
  const answer = (...chunks: Row[]): unknown => stepsOf([call(1), head(1, 1, []), ...chunks, { kind: 'return', step: 1, at: 2 }])[0]?.output
  expect(answer(bytes(0x22, 0xc3), bytes(0xbc), text(1, 1, '"'))).toStrictEqual({ status: 200, headers: [], json: 'ü' })
  expect(answer(text(1, 1, 'a'), bytes(0xc3))).toStrictEqual({ status: 200, headers: [], bytes: Uint8Array.of(0x61, 0xc3) })
})

it('takes the body of a return row before that of chunks', () => {
  const rows: Row[] = [
    call(1),
    head(1, 1),
    { kind: 'chunk', step: 1, at: 1, length: 7 },
    { kind: 'return', step: 1, at: 2, output: { json: { a: 1 } } },
  ]
  expect(stepsOf(rows)[0]?.output).toStrictEqual({ status: 200, headers: JSON_TYPE, json: { a: 1 } })
})

it('leaves an answer without a body without one', () => {
  expect(stepsOf([call(1), head(1, 1), { kind: 'return', step: 1, at: 2 }])[0]?.output).toStrictEqual({ status: 200, headers: JSON_TYPE })
})

it('gives a step in flight what had arrived of its answer', () => {
  const [step] = stepsOf([call(1), head(1, 1), text(1, 2, '{"a"')])
  expect(step?.output).toStrictEqual({ status: 200, headers: JSON_TYPE, text: '{"a"' })
  expect(step).not.toHaveProperty('settledAt')
  expect(stepsOf([call(1)])[0]).not.toHaveProperty('output')
})

it('leaves the output of imported HTTP steps as it is', () => {
  expect(stepsOf([call(1), { kind: 'return', step: 1, at: 2, output: 'all that is known' }])[0]?.output).toBe('all that is known')
})

it('finds checkpoints and the end', () => {
  const checkpoint: Row = { kind: 'checkpoint', owner: 0, name: 'found', state: { id: 1 }, at: 1 }
  const end: Row = { kind: 'end', at: 2, output: 'done', usage: { inputTokens: 1, outputTokens: 2 } }
  const rows = [header, checkpoint, end]
  const trace = assembleTrace(rows, digest)
  expect(trace).toMatchObject({ header, rows, steps: [], checkpoints: [checkpoint], end })
  expect(assembleTrace([header], digest)).not.toHaveProperty('end')
})

it('refuses rows without a header', () => {
  expect(thrownBy(() => assembleTrace([], digest))).toMatchObject({ message: 'the first row has to be the run row, got none.' })
  expect(thrownBy(() => assembleTrace([call(1)], digest))).toMatchObject({
    message: 'the first row has to be the run row, got a call row.',
  })
})

it('computes the hash when it is first read, and once', () => {
  let digests = 0
  const trace = assembleTrace([header], (value) => {
    digests++
    return digest(value)
  })
  expect(digests).toBe(0)
  expect(trace.hash).toBe(trace.hash)
  expect(trace.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(digests).toBe(1)
})

const returned: Row = { kind: 'return', step: 1, at: 9 }
const SSE: HeaderPairs = [['content-type', 'text/event-stream']]

const goldenForms: readonly [name: string, rows: readonly Row[], golden: readonly Row[]][] = [
  [
    'merges an answer that fell in one tick',
    [call(1), head(1, 1), inTick(text(1, 1, '{"a":')), inTick(text(1, 1, '1}')), inTick(returned)],
    [call(1), { kind: 'return', step: 1, at: 9, output: { status: 200, headers: JSON_TYPE, json: { a: 1 } } }],
  ],
  [
    'keeps the tick of a merged answer',
    [
      call(1),
      inTick(head(1, 1, [])),
      inTick(text(1, 1, 'hi')),
      inTick({ kind: 'return', step: 1, at: 9, sync: true, output: { trailers: [] } }),
    ],
    [
      call(1),
      { kind: 'return', step: 1, at: 9, sameTick: true, sync: true, output: { status: 200, headers: [], trailers: [], text: 'hi' } },
    ],
  ],
  [
    'merges an answer without a body',
    [call(1), head(1, 1), inTick(returned)],
    [call(1), { kind: 'return', step: 1, at: 9, output: { status: 200, headers: JSON_TYPE } }],
  ],
  [
    'measures the chunks of JSON that came over several ticks',
    [call(1), head(1, 1), text(1, 2, '{"a":"é'), inTick(text(1, 3, '"}')), returned],
    [
      call(1),
      head(1, 1),
      { kind: 'chunk', step: 1, at: 2, length: 8 },
      { kind: 'chunk', step: 1, at: 3, sameTick: true, length: 2 },
      { kind: 'return', step: 1, at: 9, output: { json: { a: 'é' } } },
    ],
  ],
  [
    'does not merge what has something between',
    [call(1), toolCall(2), head(1, 1), inTick(text(1, 1, '{}')), inTick({ kind: 'return', step: 2, at: 1 }), inTick(returned)],
    [
      call(1),
      toolCall(2),
      head(1, 1),
      { kind: 'chunk', step: 1, at: 1, sameTick: true, length: 2 },
      { kind: 'return', step: 2, at: 1, sameTick: true },
      { kind: 'return', step: 1, at: 9, sameTick: true, output: { json: {} } },
    ],
  ],
  ['leaves an event stream', [call(1), head(1, 1, SSE), inTick(text(1, 1, 'data: {}\n\n')), inTick(returned)], []],
  ['leaves text that came over several ticks', [call(1), head(1, 1, []), text(1, 2, '<p>'), returned], []],
  ['leaves an answer that the agent cut short', [call(1), head(1, 1), text(1, 2, '{}'), { ...returned, by: 'agent' }], []],
  ['leaves an answer that broke off', [call(1), head(1, 1), text(1, 2, '{}'), { kind: 'throw', step: 1, at: 9, error: fullError }], []],
  ['leaves an answer in flight', [call(1), head(1, 1), text(1, 2, '{}')], []],
  ['leaves tools', [toolCall(1), { ...returned, output: { status: 200 } }], []],
]

it.each(goldenForms)('%s', (_name, rows, golden) => {
  const made = toGoldenRows(rows)
  expect(made).toStrictEqual(golden.length === 0 ? rows : golden)
  expect(toGoldenRows(made)).toStrictEqual(made)
  const settled = (all: readonly Row[]): unknown => stepsOf(all)
  expect(settled(made)).toStrictEqual(settled(rows))
  expect(assembleTrace([header, ...made], digest).hash).toBe(assembleTrace([header, ...rows], digest).hash)
})
