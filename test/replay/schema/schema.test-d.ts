import { describeGolden, replay } from 'goldenrun/vitest'
import { compareRuns, fork, rerun, type ReplayedRun } from 'goldenrun/replay'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

interface Order {
  id: string
  status: 'packed' | 'shipped'
}

interface Database {
  find(id: string): Promise<Order>
}

declare function agent(input: { ticket: string }, database: Database): Promise<{ reply: string }>
declare const database: Database

const output = z.object({ reply: z.string(), order: z.object({ id: z.string() }).optional() })
const found = z.object({ id: z.string(), status: z.enum(['packed', 'shipped']) })
const schema = { output, checkpoints: { 'order-found': found, counted: z.string().transform(Number) } }

/** Compiled, not run. */
export async function types(): Promise<void> {
  const plain = await replay('cancel-unshipped', agent, { context: database })
  if (plain.outcome.status === 'returned') expectTypeOf(plain.outcome.output).toEqualTypeOf<{ reply: string }>()
  expectTypeOf(plain.checkpoints[0]?.state).toBeUnknown()

  // @ts-expect-error -- the agent asks for a database
  await replay('cancel-unshipped', agent, { context: { find: 'an order' } })

  const run = await replay('cancel-unshipped', agent, { schema })
  if (run.outcome.status === 'returned') expectTypeOf(run.outcome.output).toEqualTypeOf<z.input<typeof output>>()
  for (const checkpoint of run.checkpoints) {
    if (checkpoint.name === 'order-found') expectTypeOf(checkpoint.state).toEqualTypeOf<Order>()
    else if (checkpoint.name === 'counted') expectTypeOf(checkpoint.state).toEqualTypeOf<string>()
    else expectTypeOf(checkpoint.state).toBeUnknown()
  }
  expectTypeOf(run.checkpoints.find((checkpoint) => checkpoint.name === 'order-found')?.state).toEqualTypeOf<Order | undefined>()
  expectTypeOf(run.checkpoints[0]).toExtend<{ name: string; at: number } | undefined>()
  expectTypeOf(await run.again()).toEqualTypeOf<typeof run>()
  // A typed run is a run.
  expectTypeOf(run).toExtend<ReplayedRun>()
  await compareRuns(plain, run)

  const onlyStates = await replay('cancel-unshipped', agent, { schema: { checkpoints: { 'order-found': found } } })
  if (onlyStates.outcome.status === 'returned') expectTypeOf(onlyStates.outcome.output).toEqualTypeOf<{ reply: string }>()

  const { replays } = await rerun('cancel-unshipped', agent, { times: 2, schema })
  expectTypeOf(replays).toEqualTypeOf<readonly (typeof run)[]>()

  const forked = await fork('cancel-unshipped', agent, { input: { ticket: 'another' }, schema })
  expectTypeOf(forked).toEqualTypeOf<typeof run>()
  // @ts-expect-error -- the agent asks for a ticket
  await fork('cancel-unshipped', agent, { input: { order: 'another' } })

  describeGolden(
    'cancel-*',
    agent,
    (golden, promised) => {
      expectTypeOf(golden.input).toEqualTypeOf<{ ticket: string }>()
      expectTypeOf(promised).toEqualTypeOf<PromiseLike<typeof run>>()
    },
    { context: database, schema },
  )

  // @ts-expect-error -- no schema
  await replay('cancel-unshipped', agent, { schema: { output: 'text' } })
  // @ts-expect-error -- a misspelt part
  await replay('cancel-unshipped', agent, { schema: { outputs: output } })
}
