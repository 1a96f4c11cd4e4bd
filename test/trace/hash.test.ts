import { expect, it } from 'vitest'

import { assembleTrace, toHashParts } from '../../src/trace/assemble.ts'
import { createDigestMemo } from '../../src/trace/hash.ts'
import { canonical, traceHash, type HashParts } from '../../src/trace/hash.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { RecordedError, Row } from '../../src/trace/rows.ts'
import { digest, header, modelCall, toFile, toolCall } from './samples.ts'

const error: RecordedError = { name: 'E', message: 'no', code: 'E_NO', status: 500 }
const parts: HashParts = {
  steps: [
    {
      step: 1,
      owner: 0,
      boundary: 'model',
      name: 'openai.chat',
      input: {
        json: {
          messages: [
            { role: 'user', content: 'a' },
            { role: 'user', content: 'b' },
          ],
        },
      },
    },
    { step: 2, owner: 1, boundary: 'tool', name: 'get_order', input: { id: 'ord_1', at: new Date(0) } },
  ],
  settled: [
    { step: 2, output: { ok: true } },
    { step: 1, error },
  ],
  checkpoints: [{ owner: 0, name: 'found', state: { id: 1 }, settled: 1 }],
  outcome: { output: 'done' },
}
const hash = (changed: Partial<HashParts> = {}): string => traceHash({ ...parts, ...changed }, digest)
const [model, tool] = parts.steps
if (model === undefined || tool === undefined) throw new Error('there are two steps')
const messages = (...items: unknown[]): Partial<HashParts> => ({ steps: [{ ...model, input: { json: { messages: items } } }, tool] })

it('prints equal values alike, whatever the order of their fields', () => {
  expect(canonical({ b: [1, { d: 1, c: undefined, a: new Date(0) }], a: 1n })).toBe(
    '{"a":{"$":{"bigint":"1"}},"b":[1,{"a":{"$":{"date":"1970-01-01T00:00:00.000Z"}},"d":1}]}',
  )
  expect(canonical({ a: 1, b: 2 })).toBe(canonical({ b: 2, a: 1 }))
  expect(canonical('1970-01-01T00:00:00.000Z')).not.toBe(canonical(new Date(0)))
  expect(canonical(undefined)).toBe('{"$":{"undefined":true}}')
})

const changes: readonly [name: string, changed: Partial<HashParts>][] = [
  ['an owner', { steps: [model, { ...tool, owner: 0 }] }],
  ['a boundary', { steps: [model, { ...tool, boundary: 'external' }] }],
  ['a name', { steps: [model, { ...tool, name: 'find_order' }] }],
  ['an argument', { steps: [model, { ...tool, input: { id: 'ord_2', at: new Date(0) } }] }],
  ['the kind of an argument', { steps: [model, { ...tool, input: { id: 'ord_1', at: '1970-01-01T00:00:00.000Z' } }] }],
  ['a message', messages({ role: 'user', content: 'a' }, { role: 'user', content: 'c' })],
  ['a message before the last', messages({ role: 'user', content: 'c' }, { role: 'user', content: 'b' })],
  ['the order of messages', messages({ role: 'user', content: 'b' }, { role: 'user', content: 'a' })],
  ['a message less', messages({ role: 'user', content: 'a' })],
  ['a message more', messages({ role: 'user', content: 'a' }, { role: 'user', content: 'b' }, 'c')],
  ['a call less', { steps: [model] }],
  ['the order of settling', { settled: [...parts.settled].toReversed() }],
  ['a settling less', { settled: parts.settled.slice(0, 1) }],
  [
    'a result',
    {
      settled: [
        { step: 2, output: { ok: false } },
        { step: 1, error },
      ],
    },
  ],
  [
    'a result for an error',
    {
      settled: [
        { step: 2, output: { ok: true } },
        { step: 1, output: error },
      ],
    },
  ],
  [
    'the name of an error',
    {
      settled: [
        { step: 2, output: { ok: true } },
        { step: 1, error: { ...error, name: 'F' } },
      ],
    },
  ],
  [
    'the message of an error',
    {
      settled: [
        { step: 2, output: { ok: true } },
        { step: 1, error: { ...error, message: 'yes' } },
      ],
    },
  ],
  [
    'the code of an error',
    {
      settled: [
        { step: 2, output: { ok: true } },
        { step: 1, error: { ...error, code: 7 } },
      ],
    },
  ],
  [
    'the status of an error',
    {
      settled: [
        { step: 2, output: { ok: true } },
        { step: 1, error: { ...error, status: 501 } },
      ],
    },
  ],
  ['a state', { checkpoints: [{ owner: 0, name: 'found', state: { id: 2 }, settled: 1 }] }],
  ['the owner of a checkpoint', { checkpoints: [{ owner: 1, name: 'found', state: { id: 1 }, settled: 1 }] }],
  ['the place of a checkpoint', { checkpoints: [{ owner: 0, name: 'found', state: { id: 1 }, settled: 0 }] }],
  ['no checkpoint', { checkpoints: [] }],
  ['an output', { outcome: { output: 'failed' } }],
  ['an output for an error', { outcome: { error } }],
]

it.each(changes)('has another hash with %s changed', (_name, changed) => {
  expect(hash(changed)).not.toBe(hash())
})

it('has another hash when the run did not end', () => {
  const { steps, settled, checkpoints } = parts
  expect(traceHash({ steps, settled, checkpoints }, digest)).not.toBe(hash())
  expect(traceHash({ steps, settled, checkpoints, outcome: { output: undefined } }, digest)).not.toBe(
    traceHash({ steps, settled, checkpoints }, digest),
  )
})

it('has one hash for the same run, however its parts are ordered and carried', () => {
  expect(hash({ steps: [...parts.steps].toReversed() })).toBe(hash())
  expect(hash(structuredClone(parts))).toBe(hash())
  expect(hash({ steps: [model, { ...tool, input: { at: new Date(0), id: 'ord_1' } }] })).toBe(hash())
  expect(
    hash({
      settled: [
        { step: 2, output: { ok: true } },
        { step: 1, error: { ...error, class: 'F', fields: { at: 1 }, cause: error } },
      ],
    }),
  ).toBe(hash())
})

it('keeps values apart from what the hash makes of them', () => {
  const item = { role: 'user' }
  const { steps } = messages(item)
  const forged = { $: { chain: digest(`\n${digest('{"role":"user"}')}`) } }
  expect(hash({ steps: [{ ...model, input: { json: { messages: forged } } }, tool] })).not.toBe(hash({ steps: steps ?? [] }))
  expect(hash({ outcome: { output: 'a\ncheckpoint 0 "x" 1' } })).not.toBe(hash({ outcome: { output: 'a' } }))
})

it('has the same hash with a memo that has seen others', () => {
  const memo = createDigestMemo()
  expect(traceHash(parts, digest, memo)).toBe(hash())
  expect(traceHash(parts, digest, memo)).toBe(hash())
  const other = { ...parts, ...messages({ role: 'user', content: 'a' }) }
  expect(traceHash(other, digest, memo)).toBe(traceHash(other, digest))
})

it('computes no digest twice of what rows share', () => {
  const rows: Row[] = [header]
  const conversation = Array.from({ length: 60 }, (_, index) => ({ role: 'user', content: `message ${index} `.repeat(30) }))
  for (let step = 1; step <= 60; step++) rows.push(modelCall(step, { messages: conversation.slice(0, step) }))
  // Then the history is trimmed at its start, so that no conversation goes on from another.
  for (let step = 61; step <= 110; step++) rows.push(modelCall(step, { messages: conversation.slice(step - 60) }))
  let digested = 0
  const trace = decodeTrace(toFile(rows), 'x.jsonl', (text) => {
    digested += text.length
    return digest(text)
  })
  expect(trace.hash).toBe(assembleTrace(rows, digest).hash)
  // 60 messages of some 400 characters and a line of some 250 for each step are 50,000. Of links, 130 characters for each new beginning, there
  // are 60 and then 59 + 58 + … + 10 = 1,725. The conversations as they were sent are 1.4 million.
  expect(digested).toBeLessThan(50_000 + 1_785 * 130 + 20_000)
})

it('does not depend on ids, times, reads, notes or the header', () => {
  const rows: Row[] = [
    header,
    toolCall(1),
    { kind: 'return', step: 1, at: 2, output: 1 },
    { kind: 'end', at: 3, usage: { inputTokens: 0, outputTokens: 0 } },
  ]
  const others: Row[] = [
    { ...header, id: 'run_2', traceId: 'other', startedAt: '2027-01-01T00:00:00.000Z', agent: 'other', input: 1 },
    { kind: 'reads', owner: 0, clock: [1] },
    { kind: 'note', what: 'flagged', where: 'here', at: 0 },
    { ...toolCall(1), at: 99, attempt: 2 },
    { kind: 'timer', owner: 0, set: 0, delay: 5, at: 3 },
    { kind: 'return', step: 1, at: 100, sameTick: true, output: 1 },
    { kind: 'end', at: 101, usage: { inputTokens: 7, outputTokens: 0 } },
  ]
  expect(assembleTrace(others, digest).hash).toBe(assembleTrace(rows, digest).hash)
})

it('makes its parts of a trace', () => {
  const rows: Row[] = [
    header,
    toolCall(1),
    toolCall(2),
    { kind: 'throw', step: 2, at: 2, error },
    { kind: 'return', step: 1, at: 3, output: 1 },
    { kind: 'end', at: 4, error, usage: { inputTokens: 0, outputTokens: 0 } },
  ]
  expect(toHashParts(assembleTrace(rows, digest))).toMatchObject({
    steps: [{ step: 1 }, { step: 2 }],
    settled: [
      { step: 2, error },
      { step: 1, output: 1 },
    ],
    checkpoints: [],
    outcome: { error },
  })
})
