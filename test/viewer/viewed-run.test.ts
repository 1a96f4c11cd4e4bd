import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createTimeScale } from '../../src/viewer/model/time-scale.ts'
import { lanesOf, type ViewedRun, viewRun } from '../../src/viewer/model/viewed-run.ts'
import { toolRows, traceText } from '../support/trace-rows.ts'

const view = (text: string): ViewedRun => viewRun({ name: 'a-run', text })

it('lays a golden out in the order in which things happened', () => {
  const { entries } = view(readFileSync('golden-traces/refund-twice-support-openai.jsonl', 'utf8'))
  expect(entries.map(({ key }) => key)).toEqual([
    'input',
    'step=1',
    'step=2',
    'step=3',
    'checkpoint=1',
    'step=4',
    'step=5',
    'step=6',
    'step=7',
    'note=1',
    'step=8',
    'step=9',
    'outcome',
  ])
})

it('flags side effects and names the step that one repeats', () => {
  const { steps } = view(readFileSync('golden-traces/refund-twice-support-openai.jsonl', 'utf8'))
  const flagged = [...steps.values()].filter(({ sideEffect }) => sideEffect !== undefined)
  expect(flagged.map(({ step, repeats }) => [step.step, step.name, repeats])).toEqual([
    [5, 'refund_order', undefined],
    [7, 'refund_order', 5],
  ])
})

it('counts how many steps enclose one', () => {
  const text = traceText([
    ...toolRows(1, 'outer', { took: 90 }),
    ...toolRows(2, 'inner', { owner: 1 }),
    ...toolRows(3, 'inmost', { owner: 2 }),
  ])
  expect([...view(text).steps.values()].map(({ depth }) => depth)).toEqual([0, 1, 2])
})

it('says how long the agent waited before it tried again', () => {
  const failed = { kind: 'throw', step: 1, at: 14, error: { name: 'Error', message: 'timed out' } } as const
  const [call] = toolRows(1, 'refund_order')
  const text = traceText([...(call ? [call] : []), failed, ...toolRows(2, 'refund_order', { at: 514, attempt: 2 })])
  expect(view(text).steps.get(2)?.retries).toEqual({ step: 1, waited: 500 })
})

it('shows the clock, random values and ids that the run read before a step, and the timers that fired', () => {
  const random = new Uint8Array(new Float64Array([0.25]).buffer)
  const text = traceText([
    { kind: 'reads', owner: 0, clock: [1, 2], monotonic: [1500], random, uuid: ['7b1c'], bytes: [new Uint8Array([1, 255])] },
    { kind: 'timer', owner: 0, set: 0, delay: 250, at: 5 },
    ...toolRows(1, 'get_order'),
  ])
  const step = view(text).steps.get(1)
  expect(step?.timers).toEqual([250])
  expect(step?.reads).toEqual([
    { source: 'clock', values: ['2026-11-21T02:14:00.001Z', '2026-11-21T02:14:00.003Z'] },
    { source: 'monotonic clock', values: ['1.500 ms'] },
    { source: 'Math.random()', values: ['0.25'] },
    { source: 'UUID', values: ['7b1c'] },
    { source: 'random bytes', values: ['01ff'] },
  ])
})

it('shows a run that has no end as one in flight', () => {
  const { entries, endsAt } = view(traceText(toolRows(1, 'get_order', { at: 10, took: 7 })))
  expect(entries.at(-1)).toEqual({ kind: 'outcome', key: 'outcome', at: 17 })
  expect(endsAt).toBe(17)
})

it('leaves room behind a call that was made last and never settled', () => {
  const open = view(traceText([...toolRows(1, 'get_order'), ...toolRows(2, 'get_order', { at: 1000 }).slice(0, 1)]))
  const scale = createTimeScale(open.trace.steps, open.drawnTo)
  expect([open.endsAt, scale.toPlace(1000) < 0.95]).toEqual([1000, true])
  const whole = view(traceText([...toolRows(1, 'get_order'), ...toolRows(2, 'get_order', { at: 1000 })]))
  expect(whole.drawnTo).toBe(whole.endsAt)
})

it('gives steps that were in flight together lanes of their own, and reuses a lane that is free', () => {
  const { trace } = view(
    traceText([
      ...toolRows(1, 'a', { at: 0, took: 50 }),
      ...toolRows(2, 'b', { at: 10, took: 10 }),
      ...toolRows(3, 'c', { at: 30, took: 5 }),
      ...toolRows(4, 'd', { at: 60 }),
    ]),
  )
  expect([...lanesOf(trace.steps)]).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 0],
  ])
})
