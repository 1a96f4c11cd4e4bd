import { describe, expect, it } from 'vitest'
import { runnerMatchers } from '../../src/matchers/runner-matchers.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { buildDivergence, buildRun, buildStoppedRun, toolStep } from './build-run.ts'
import { failureOf } from './failure-of.ts'

const run = buildRun()

it('registers every matcher', () => {
  for (const name of Object.keys(runnerMatchers)) expect(Reflect.get(expect(run), name)).toBeTypeOf('function')
  expect(Object.keys(runnerMatchers)).toEqual([
    'toReplayWithoutDivergence',
    'toDivergeAt',
    'toHaveCalledTools',
    'toHaveCalledTool',
    'toHaveCalledToolTimes',
    'toHaveReachedCheckpoint',
    'toMatchCheckpoints',
    'toHaveSideEffects',
    'toHaveNoRepeatedSideEffects',
    'toHaveExecutedAsApproved',
    'toHaveSentRequest',
    'toHaveOutcome',
    'toHaveOutcomeContaining',
    'toStayWithin',
    'toRerunIdentically',
  ])
})

it('takes a promise of a run, negated too', async () => {
  await expect(Promise.resolve(run)).toReplayWithoutDivergence()
  await expect(Promise.resolve(run)).not.toHaveCalledTool('refund_order')
  await expect(Promise.resolve(run)).resolves.toHaveCalledTool('get_order')
  await expect((async () => await expect(Promise.resolve(run)).toHaveCalledTool('refund_order'))()).rejects.toThrow(
    'Expected "cancel-unshipped" to call refund_order. It called:',
  )
  const stopped = Promise.resolve(buildStoppedRun(buildDivergence()))
  await expect((async () => await expect(stopped).not.toHaveCalledTool('x'))()).rejects.toThrow('toHaveCalledTool cannot decide')
})

let wentOn = false

it.fails('fails a test softly', () => {
  expect.soft(run).toHaveCalledTool('refund_order')
  wentOn = true
})

it('continues after a soft failure', () => {
  expect(wentOn).toBe(true)
})

it('is polled until it passes', async () => {
  let asked = 0
  const later = (): ReplayedRun => ((asked += 1) < 3 ? buildStoppedRun(buildDivergence()) : run)
  await expect.poll(later, { interval: 1 }).toReplayWithoutDivergence()
  expect(asked).toBe(3)
})

describe.concurrent('in concurrent tests', () => {
  it.for(['get_order', 'cancel_order', 'refund_order'])('says which of its own run holds: %s', async (name, context) => {
    const mine = buildRun({ recorded: [toolStep(1, name, {})] })
    await new Promise((resolve) => setTimeout(resolve, 1))
    await context.expect(Promise.resolve(mine)).toHaveCalledTools([name])
    context.expect(mine).not.toHaveCalledTool('other')
    expect(mine).toHaveCalledTool(name)
  })
})

it('rejects as the promise does', async () => {
  const failed = Promise.reject(new Error('no golden of this name'))
  await expect((async () => await expect(failed).toReplayWithoutDivergence())()).rejects.toThrow('no golden of this name')
})

const called = (input: unknown): ReplayedRun => buildRun({ recorded: [toolStep(1, 'measure', input)] })

it("compares as the runner's toMatchObject does", () => {
  expect(called({ at: new Date(1000), list: new Set([1]) })).toHaveCalledTool('measure', { at: new Date(1000) })
  expect(called({ at: new Date(1000) })).not.toHaveCalledTool('measure', { at: new Date(2000) })
  expect(called({ list: new Set([1]) })).toHaveCalledTool('measure', { list: new Set([1]) })
  expect(called({ list: new Set([1]) })).not.toHaveCalledTool('measure', { list: new Set([2]) })
})

it('compares with the equality that a user adds to the runner', () => {
  const isLitre = (value: unknown): boolean => value === '1 l' || value === '1000 ml'
  expect(called({ volume: '1 l' })).not.toHaveCalledTool('measure', { volume: '1000 ml' })
  expect.addEqualityTesters([(one: unknown, other: unknown) => (isLitre(one) && isLitre(other) ? true : undefined)])
  expect(called({ volume: '1 l' })).toHaveCalledTool('measure', { volume: '1000 ml' })
})

it.each([
  [undefined, 'undefined'],
  ['cancel-unshipped', '"cancel-unshipped"'],
  [run.trace, '{"header":{"kind":"run","format":1,"id":"20260131-080000-1a…'],
  [() => run, '<function anonymous>'],
])('refuses anything but a run, negated too: %#', (received, printed) => {
  const message =
    `toHaveCalledTool needs a replayed run, or a promise of one, but got ${printed}. ` +
    "Pass it the result of replay: expect(await replay('cancel-unshipped', agent))"
  expect(failureOf(() => expect(received).toHaveCalledTool('x'))).toBe(message)
  expect(failureOf(() => expect(received).not.toHaveCalledTool('x'))).toBe(message)
})

it('refuses a promise of anything but a run', async () => {
  await expect((async () => await expect(Promise.resolve(3)).not.toStayWithin({ steps: 1 }))()).rejects.toThrow(
    expect.objectContaining({ name: 'NotARunError', code: 'GOLDENRUN_NOT_A_RUN' }),
  )
})

it('tells its code', () => {
  expect(() => expect(3).toHaveCalledTool('x')).toThrow(
    expect.objectContaining({ code: 'GOLDENRUN_NOT_A_RUN', matcher: 'toHaveCalledTool' }),
  )
})
