import { expect, it } from 'vitest'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { live } from '../../src/run/live.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'

it('knows no run outside of one', () => {
  expect(currentRun()).toBeUndefined()
})

it('knows the run that is recorded', async () => {
  const { output, trace } = await recordRun(async () => {
    await Promise.resolve()
    const run = currentRun()
    return { id: run?.id, traceId: run?.traceId, mode: run?.mode }
  })
  expect(output).toEqual({ id: trace.header.id, traceId: trace.header.traceId, mode: 'record' })
  expect(trace.header.traceId).toMatch(/^[0-9a-f]{32}$/)
})

it('flags the run, with the reason as a note', async () => {
  const { trace, stats } = await recordRun(() => currentRun()?.flag('customer asked twice'))
  expect(rowsOf(trace, 'note')).toEqual([{ kind: 'note', what: 'flagged', where: 'customer asked twice', at: expect.any(Number) }])
  expect(stats).toMatchObject({ recorded: 1, watching: 0, active: 0, failed: 0, flagged: 1, sampledOut: 0, cut: 0, waitingBytes: 0 })
})

it('does nothing at a checkpoint outside a run, not even read the state', () => {
  let read = 0
  const state = Object.defineProperty({}, 'order', { enumerable: true, get: () => (read += 1) })
  expect(checkpoint('order-found', state)).toBeUndefined()
  expect(read).toBe(0)
})

it('keeps the state of a checkpoint as it was, and whose it is', async () => {
  const find = tool('find', {}, async () => checkpoint('inside', 1))
  const { trace } = await recordRun(async () => {
    const state = { order: { status: 'packed' } }
    checkpoint('order-found', state)
    state.order.status = 'cancelled'
    checkpoint('nothing')
    await find()
  })
  expect(trace.checkpoints.map(({ owner, name, state }) => [owner, name, state])).toEqual([
    [0, 'order-found', { order: { status: 'packed' } }],
    [0, 'nothing', undefined],
    [1, 'inside', 1],
  ])
})

it('just runs what is declared live outside a run', () => {
  const promise = Promise.resolve(1)
  expect(live('a health check', () => promise)).toBe(promise)
})

it('keeps nothing of what is declared live but a note', async () => {
  const find = tool('find', {}, async () => 'found')
  const { output, trace } = await recordRun(() =>
    live('a health check', async () => {
      Math.random()
      Date.now()
      checkpoint('inside', 1)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return [await find(), currentRun()]
    }),
  )
  expect(output).toEqual(['found', undefined])
  expect(trace.rows.slice(1)).toEqual([
    {
      kind: 'note',
      what: 'live',
      where: expect.stringMatching(/^a health check at test\/run\/annotations.test.ts:\d+:\d+$/),
      at: expect.any(Number),
    },
    { kind: 'end', output: ['found', undefined], at: expect.any(Number) },
    { kind: 'closed', until: expect.any(Number), by: 'done' },
  ])
})
