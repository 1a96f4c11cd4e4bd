import { expect, it } from 'vitest'
import { StandInList } from '../../src/redaction/stand-in-list.ts'
import { describeEntry } from '../../src/viewer/model/describe-entry.ts'
import { readModelCall, wholeConversation } from '../../src/viewer/model/model-call.ts'
import { fieldChanges, momentAt } from '../../src/viewer/model/moment.ts'
import { findIn, indexRun } from '../../src/viewer/model/search.ts'
import { createTimeScale } from '../../src/viewer/model/time-scale.ts'
import { type Entry, type ViewedRun, viewRun } from '../../src/viewer/model/viewed-run.ts'
import { textParts } from '../../src/viewer/model/visible.ts'
import type { Row } from '../../src/trace/rows.ts'
import type { Step } from '../../src/trace/trace.ts'
import { toolRows, traceText } from '../support/trace-rows.ts'

const system = { role: 'system', content: 'You are the support agent.' }
const first = { role: 'user', content: 'Where is ord_1?' }
const second = { role: 'assistant', content: 'It was sent on Monday.' }
const third = { role: 'user', content: 'Then refund it.' }

function modelRows(step: number, messages: readonly object[], answer: string): Row[] {
  const at = step * 100
  const output = {
    status: 200,
    headers: [['content-type', 'application/json']] as const,
    json: { choices: [{ message: { content: answer } }] },
  }
  return [
    {
      kind: 'call',
      step,
      owner: 0,
      boundary: 'model',
      name: 'openai.chat',
      input: { method: 'POST', url: 'https://api.openai.com/v1/chat/completions', headers: [], json: { model: 'gpt-4.1', messages } },
      at,
    },
    { kind: 'return', step, at: at + 40, output },
  ]
}

const conversation = (): ViewedRun =>
  viewRun({
    name: 'a-run',
    text: traceText([
      ...modelRows(1, [system, first], 'It was sent on Monday.'),
      ...modelRows(2, [system, first, second, third], 'It is refunded.'),
    ]),
  })

function stepOf(run: ViewedRun, number: number): Step {
  const viewed = run.steps.get(number)
  if (viewed === undefined) throw new Error(`There is no step ${number}.`)
  return viewed.step
}

it('shows of a conversation that is sent again only what is new', () => {
  const run = conversation()
  const call = readModelCall(stepOf(run, 2), stepOf(run, 1))
  expect(call?.request.messages.map(({ role, text }) => [role, text])).toEqual([
    ['assistant', 'It was sent on Monday.'],
    ['user', 'Then refund it.'],
  ])
  expect(call).toMatchObject({ earlier: 1, isNewSystem: false, isNewTools: false, answer: { text: 'It is refunded.' } })
  expect(wholeConversation(stepOf(run, 2))).toHaveLength(3)
})

it('shows the system prompt of the first call, and of one that changes it', () => {
  const changed = { role: 'system', content: 'You are a pirate.' }
  const run = viewRun({
    name: 'a-run',
    text: traceText([...modelRows(1, [system, first], 'Yes.'), ...modelRows(2, [changed, first, second], 'Arr.')]),
  })
  expect(readModelCall(stepOf(run, 1))?.isNewSystem).toBe(true)
  expect(readModelCall(stepOf(run, 2), stepOf(run, 1))).toMatchObject({ isNewSystem: true, earlier: 0 })
})

it('finds a text where it was said first, and not where the conversation is sent again', () => {
  const run = conversation()
  const index = indexRun(run)
  const places = run.entries.filter((entry) => findIn(index, entry, 'WHERE is ord_1') !== undefined)
  expect(places.map(({ key }) => key)).toEqual(['input', 'step=1'])
  const [, , entry] = run.entries
  expect(entry && findIn(index, entry, 'then refund')).toEqual({
    before: expect.stringContaining('Monday'),
    match: 'Then refund',
    after: expect.stringContaining(' it.'),
  })
})

it('finds what the page shows beside what was said: addresses, headers, settings, tags, keys, variables', () => {
  const [call, answer] = modelRows(1, [system, first], 'It was sent.')
  const asked = call?.kind === 'call' && { ...call, input: { ...(call.input as object), headers: [['x-team', 'Returns']] } }
  const json = { model: 'gpt-4.1', stream_options: { include_usage: true }, messages: [first] }
  const rows = [
    ...(asked ? [{ ...asked, input: { ...asked.input, json } }] : []),
    ...(answer?.kind === 'return' ? [{ ...answer, output: { ...(answer.output as object), headers: [['retry-after', '2']] } }] : []),
    ...toolRows(2, 'refund_order', { effect: 'write' }).map((row) => (row.kind === 'call' ? { ...row, idempotencyKey: 'ord_1' } : row)),
  ] as Row[]
  const run = viewRun({
    name: 'a-run',
    text: traceText(rows, { tags: { tier: 'gold' } }),
    variables: { 2: [{ moment: 'before', place: 'runTool src/run-tool.ts:3', source: 'await refund(args)', variables: [['tries', '1']] }] },
  })
  const index = indexRun(run)
  const placesOf = (words: string): string[] => run.entries.filter((each) => findIn(index, each, words)).map(({ key }) => key)
  expect(['retry-after: 2', 'x-team: returns', 'openai.com/v1/chat/completions', 'openai.chat', 'include_usage'].map(placesOf)).toEqual(
    Array.from({ length: 5 }, () => ['step=1']),
  )
  expect(['idempotency key ord_1', 'src/run-tool.ts', 'await refund', 'tries: 1'].map(placesOf)).toEqual(
    Array.from({ length: 4 }, () => ['step=2']),
  )
  expect(['tier=gold', 'argsText'].map(placesOf)).toEqual([['input'], []])
})

it('finds the pieces of a stream as they were sent', () => {
  const [call] = modelRows(1, [first], '')
  const run = viewRun({
    name: 'a-run',
    text: traceText([
      ...(call ? [call] : []),
      { kind: 'head', step: 1, status: 200, headers: [['content-type', 'text/event-stream']], at: 110 },
      { kind: 'chunk', step: 1, text: 'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\n', at: 120 },
      { kind: 'return', step: 1, at: 130 },
    ]),
  })
  const index = indexRun(run)
  expect(run.entries.filter((each) => findIn(index, each, '"finish_reason"')).map(({ key }) => key)).toEqual(['step=1'])
})

it('shows of an answer that broke off what had arrived', () => {
  const [call] = modelRows(1, [first], '')
  const run = viewRun({
    name: 'a-run',
    text: traceText([
      ...(call ? [call] : []),
      { kind: 'head', step: 1, status: 200, headers: [['content-type', 'text/event-stream']], at: 110 },
      { kind: 'chunk', step: 1, text: 'data: {"choices":[{"delta":{"content":"Partial "}}]}\n\n', at: 120 },
      { kind: 'chunk', step: 1, text: 'data: {"choices":[{"delta":{"content":"answer"}}]}\n\n', at: 130 },
      { kind: 'throw', step: 1, at: 140, error: { name: 'TypeError', message: 'terminated' } },
    ]),
  })
  expect(run.steps.get(1)?.isCut).toBe(true)
  expect(readModelCall(stepOf(run, 1))?.answer?.text).toBe('Partial answer')
  const found = ['partial answer', 'whole answer'].map((words) => findIn(indexRun(run), run.entries[1] as Entry, words) !== undefined)
  expect(found).toEqual([true, false])
})

it('names nothing that comes next where a recording breaks off', () => {
  const run = viewRun({ name: 'a-run', text: traceText(toolRows(1, 'get_order').slice(0, 1)) })
  expect(momentAt(run, run.entries[1] as Entry).next).toBeUndefined()
  expect(describeEntry(run.entries[1] as Entry, run).result).toBe('in flight where the recording breaks off')
  expect(describeEntry(run.entries[2] as Entry, run)).toMatchObject({ title: 'No end', detail: 'the recording breaks off here' })
})

it('says of a fork that was stopped that it was', () => {
  const header = { replay: { ran: [] }, forkedFrom: { id: 'a', step: 1, routes: {} } } as const
  const run = viewRun({ name: 'a-run', text: traceText(toolRows(1, 'get_order').slice(0, 1), header) })
  expect(describeEntry(run.entries[1] as Entry, run).result).toBe('not answered: it was stopped here')
  expect(describeEntry(run.entries[2] as Entry, run)).toMatchObject({ title: 'Stopped', detail: 'the fork was stopped here' })
})

it('says what is in flight at a step, which state the agent had, and what comes next', () => {
  const run = viewRun({
    name: 'a-run',
    text: traceText([
      ...toolRows(1, 'get_order', { at: 0, took: 100 }).slice(0, 1),
      { kind: 'checkpoint', owner: 0, name: 'started', state: { tries: 1 }, at: 5 },
      ...toolRows(2, 'get_customer', { at: 10 }),
      { kind: 'return', step: 1, at: 100, output: 1 },
      ...toolRows(3, 'refund_order', { at: 120 }),
    ]),
  })
  const [, , , entry] = run.entries
  if (entry === undefined) throw new Error('There is no second step.')
  const { inFlight, checkpoint, next } = momentAt(run, entry)
  expect([inFlight.map(({ step }) => step.step), checkpoint?.name, next?.key]).toEqual([[1], 'started', 'step=3'])
})

it.each<[string, unknown, unknown, object[]]>([
  ['a changed field', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ path: 'state.b', before: 2, after: 3 }]],
  [
    'a new and a gone field',
    { a: 1 },
    { b: 1 },
    [
      { path: 'state.a', before: 1 },
      { path: 'state.b', after: 1 },
    ],
  ],
  ['an added item', { list: ['x', 'z'] }, { list: ['x', 'y', 'z'] }, [{ path: 'state.list[1]', after: 'y' }]],
  ['a field of any name', JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'), [{ path: 'state.__proto__', before: 1, after: 2 }]],
  ['equal states', { a: [1] }, { a: [1] }, []],
])('lists the fields in which two states differ: %s', (_, before, after, changes) => {
  expect(fieldChanges(before, after, 'state')).toEqual(changes)
})

it('folds the time in which nothing was in flight', () => {
  const step = { step: 1, owner: 0, boundary: 'tool', name: 'a', input: null } as const
  const scale = createTimeScale(
    [
      { ...step, at: 0, settledAt: 100 },
      { ...step, step: 2, at: 3_600_000, settledAt: 3_600_100 },
    ],
    3_600_100,
  )
  expect(scale.gaps).toEqual([{ from: 100, to: 3_600_000, start: expect.closeTo(0.485, 2), end: expect.closeTo(0.515, 2) }])
  expect([0, 100, 3_600_000, 3_600_100].map((at) => Number(scale.toPlace(at).toFixed(2)))).toEqual([0, 0.49, 0.51, 1])
})

it('keeps the order of times', () => {
  const step = { step: 1, owner: 0, boundary: 'tool', name: 'a', input: null } as const
  const scale = createTimeScale(
    [
      { ...step, at: 5, settledAt: 9 },
      { ...step, at: 4000, settledAt: 4001 },
      { ...step, at: 4001 },
    ],
    9000,
  )
  const places = Array.from({ length: 901 }, (_, index) => scale.toPlace(index * 10))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect([places[0], places.at(-1)]).toEqual([0, 1])
})

it.each([
  ['a stand-in', 'Mail wit@haab.zz now', [{ text: 'Mail ' }, { text: 'wit@haab.zz', standIn: 'email' }, { text: ' now' }]],
  ['a terminal escape', '\u001B[31mred', [{ text: '\\u001b[31mred' }]],
  ['what turns the direction of writing', 'a\u202Eb', [{ text: 'a\\u202eb' }]],
  ['line breaks and tabs, which stay', 'a\n\tb', [{ text: 'a\n\tb' }]],
  ['what is not seen', 'a\u{E0041}b\u200B', [{ text: 'a\\u{e0041}b\\u200b' }]],
])('makes a text readable: %s', (_, text, parts) => {
  const list = new StandInList([{ kind: 'stand-in', of: 'email', text: 'wit@haab.zz' }])
  expect(textParts(text, (each) => list.find(each))).toEqual(parts)
})
