// Compiled, and not run.
import { createRecorder, currentRun, external, live, tool, wrapClient, wrapTools } from 'goldenrun'
import { defineConfig } from 'goldenrun/config'
import { compareRuns, fork, listTraces, readTrace, replay as replayAnywhere, rerun, type ReplayedRun } from 'goldenrun/replay'
import { describeGolden, replay } from 'goldenrun/vitest'
import { goldenrun } from 'goldenrun/vitest/plugin'
import { GoldenReporter } from 'goldenrun/vitest/reporter'
import 'goldenrun/register'
import { assertType, describe, expect, expectTypeOf, test } from 'vitest'
import { defineConfig as defineVitestConfig } from 'vitest/config'
import { z } from 'zod'
import { supportAgent } from '../src/agent.ts'

interface Database {
  find(id: string): Promise<{ id: string; status: 'packed' | 'shipped' }>
}
declare const database: Database
declare function agentOfDatabase(input: { id: string }, context: { database: Database }): Promise<number>

test('goldenrun', async () => {
  const recorder = createRecorder({ store: '.goldenrun/runs' })
  const { reply } = await recorder.run({ agent: 'support', input: { ticket: '' } }, supportAgent)
  expectTypeOf(reply).toBeString()
  expectTypeOf(await recorder.run({ agent: 'orders', input: { id: '1' }, context: { database } }, agentOfDatabase)).toBeNumber()
  // @ts-expect-error -- the agent asks for a ticket
  await recorder.run({ agent: 'support', input: { text: '' } }, supportAgent)
  // @ts-expect-error -- and this one for a database
  await recorder.run({ agent: 'orders', input: { id: '1' }, context: {} }, agentOfDatabase)

  const double = tool('double', { effect: 'read' }, async ({ value }: { value: number }) => value * 2)
  expectTypeOf(double).toEqualTypeOf<(args: { value: number }) => Promise<number>>()
  // @ts-expect-error -- there is no such effect
  tool('double', { effect: 'maybe' }, double)
  expectTypeOf(external('orders', (id: string) => database.find(id))).toEqualTypeOf<Database['find']>()
  expectTypeOf(wrapClient('orders', database)).toEqualTypeOf<Database>()
  expectTypeOf(wrapTools({ double: { execute: double } }, { effects: { double: 'read' } }).double.execute).toEqualTypeOf<typeof double>()
  expectTypeOf(live('a reason', () => 1)).toBeNumber()
  expectTypeOf(currentRun()?.id).toEqualTypeOf<string | undefined>()
})

test('goldenrun/vitest', async () => {
  const run = await replay('cancel-unshipped', supportAgent)
  if (run.outcome.status === 'returned') expectTypeOf(run.outcome.output).toEqualTypeOf<{ reply: string }>()
  if (run.outcome.status === 'stopped') expectTypeOf(run.outcome.divergence.step).toBeNumber()

  expect(run).toReplayWithoutDivergence()
  expect(run).not.toDivergeAt(4, 'unexpected-call')
  expect(run).toHaveCalledTools(['get_order', { name: 'cancel_order', args: { order_id: expect.any(String) } }], { order: 'subsequence' })
  expect(run).toHaveCalledTool('cancel_order', { order_id: 'ord_2' })
  expect(run).toHaveCalledToolTimes('cancel_order', { max: 1 })
  expect(run).toHaveReachedCheckpoint('tool-called', { name: 'cancel_order' })
  expect(run).toMatchCheckpoints()
  expect(run).toHaveSideEffects(['cancel_order'])
  expect(run).toHaveNoRepeatedSideEffects()
  expect(run).toHaveExecutedAsApproved('cancel_order', { approval: 'ask_human' })
  expect(run).toHaveExecutedAsApproved('cancel_order', { approved: ({ trace }) => [{ args: trace.header.input }] })
  expect.soft(run).toStayWithin({ steps: 5 })
  await expect(run).toRerunIdentically({ times: 3 })
  await expect(replay('cancel-unshipped', supportAgent)).resolves.not.toHaveCalledTool('refund_order')
  await expect(replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence()
  // @ts-expect-error -- there is no such cause
  expect(run).toDivergeAt(4, 'weather')
  // @ts-expect-error -- there is no such matcher
  expect(run).toReplay()
  // The runner's own are what they were.
  expect(run.usage).toEqual({ inputTokens: 1, outputTokens: 1 })
  expect([1]).toContain(1)
  // @ts-expect-error -- the runner's own are typed
  expect([1]).toHaveLength('one')

  await replay('orders', agentOfDatabase, { context: { database }, tools: { double: ({ value }: { value: number }) => value } })
  // @ts-expect-error -- the agent asks for a database
  await replay('orders', agentOfDatabase, { context: { database: 1 } })
  // @ts-expect-error -- there is no such option
  await replay('orders', agentOfDatabase, { contexts: { database } })
})

test('a schema', async () => {
  const output = z.object({ reply: z.string(), refunded: z.boolean().optional() })
  const order = z.object({ id: z.string(), status: z.enum(['packed', 'cancelled']) })
  const run = await replay('cancel-unshipped', supportAgent, { schema: { output, checkpoints: { 'order-found': order } } })
  if (run.outcome.status === 'returned') expectTypeOf(run.outcome.output).toEqualTypeOf<z.input<typeof output>>()
  for (const checkpoint of run.checkpoints) {
    if (checkpoint.name === 'order-found') expectTypeOf(checkpoint.state.status).toEqualTypeOf<'packed' | 'cancelled'>()
    // @ts-expect-error -- any checkpoint may have any state
    else assertType<object>(checkpoint.state)
  }
})

describe('the other entries', () => {
  describeGolden('cancel-*', supportAgent, (golden, promised) => {
    expectTypeOf(golden.input.ticket).toBeString()
    test(golden.name, async () => {
      const { outcome } = await promised
      if (outcome.status === 'returned') expectTypeOf(outcome.output.reply).toBeString()
    })
  })

  test('goldenrun/replay', async () => {
    const run = await replayAnywhere('cancel-unshipped', supportAgent, { ignore: ['output.reply'] })
    expectTypeOf(run).toExtend<ReplayedRun>()
    const { replays, hashes } = await rerun('cancel-unshipped', supportAgent, { times: 2 })
    expectTypeOf(replays).toEqualTypeOf<readonly (typeof run)[]>()
    expectTypeOf(hashes).toEqualTypeOf<readonly string[]>()
    await fork('cancel-unshipped', supportAgent, { input: { ticket: 'another' } })
    // @ts-expect-error -- the agent asks for a ticket
    await fork('cancel-unshipped', supportAgent, { input: { text: 'another' } })
    const { divergences } = await compareRuns(run, await readTrace('cancel-unshipped'))
    expectTypeOf(divergences[0]?.step).toEqualTypeOf<number | undefined>()
    expectTypeOf((await listTraces())[0]?.agent).toEqualTypeOf<string | undefined>()
  })

  test('the configs', async () => {
    defineConfig({ agents: { support: './src/agent.ts#supportAgent' } })
    // @ts-expect-error -- a field that it does not know
    defineConfig({ agent: {} })
    defineVitestConfig({ plugins: [goldenrun({ live: ['localhost'] })], test: { reporters: ['default', new GoldenReporter()] } })
    // @ts-expect-error -- an option that it does not know
    goldenrun({ alive: true })
  })
})
