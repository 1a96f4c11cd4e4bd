import { expect, it } from 'vitest'
import { z } from 'zod'
import { replay } from '../../../src/replay/replay.ts'
import type { ReplayOptions } from '../../../src/replay/contract/replay-options.ts'
import { rerun } from '../../../src/replay/rerun.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { recordRun } from '../../support/record-run.ts'

const order = { id: 'ord_1', status: 'packed', items: [{ sku: 'lamp', amount: 2 }] }

function agent(): { reply: string; order: typeof order } {
  checkpoint('asked', 'where is it?')
  checkpoint('order-found', { order })
  return { reply: 'On its way.', order }
}

const { trace } = await recordRun(agent)

const orderSchema = z.object({ id: z.string(), status: z.enum(['packed', 'shipped']) })
const schema = { output: z.object({ reply: z.string() }), checkpoints: { 'order-found': z.object({ order: orderSchema }) } }

const failure = async (options: ReplayOptions, replayed: () => unknown = agent): Promise<string> =>
  await replay(trace, replayed, options).then(
    () => 'it did not fail',
    (error: unknown) => (error instanceof Error ? error.message : 'it is no error'),
  )

it('leaves the values of a run that fits its schema as they are', async () => {
  const run = await replay(trace, agent, { schema })
  expect(run.outcome).toEqual({ status: 'returned', output: { reply: 'On its way.', order } })
  expect(run.checkpoints.find(({ name }) => name === 'order-found')?.state).toEqual({ order })
  expect(run.hash).toBe(trace.hash)
})

it('names every place of the recorded run that does not fit', async () => {
  const output = z.object({ reply: z.number(), order: z.object({ items: z.array(z.object({ amount: z.string() })) }) })
  const checkpoints = { 'order-found': z.object({ order: z.object({ status: z.literal('shipped') }) }) }
  expect(await failure({ schema: { output, checkpoints } }))
    .toBe(`Failed to read "${trace.header.id}" with its schema: the recorded run does not match it.
    output.reply                                    Invalid input: expected number, received string
    output.order.items[0].amount                    Invalid input: expected string, received number
    state.order.status of checkpoint "order-found"  Invalid input: expected "shipped"
Correct the schema, or record the run again and promote it.`)
})

it('has an error with a code, and the places as data', async () => {
  const error: unknown = await replay(trace, agent, { schema: { output: z.string() } }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    name: 'SchemaError',
    code: 'GOLDENRUN_SCHEMA',
    trace: trace.header.id,
    problems: [{ path: 'output', problem: 'Invalid input: expected string, received object' }],
  })
})

it('holds what the agent returned to the schema where it is not compared', async () => {
  const changed = (): unknown => ({ ...agent(), reply: 404 })
  const ignore = ['output.reply']
  expect(await failure({ ignore }, changed)).toBe('it did not fail')
  expect(await failure({ ignore, schema }, changed))
    .toBe(`Failed to read "${trace.header.id}" with its schema: the replayed run does not match it.
    output.reply  Invalid input: expected string, received number
The recorded run matches it, but these places are not compared (ignore, normalize). Correct the agent, or the schema.`)
})

it('lets the divergence speak where the run diverged', async () => {
  const run = await replay(trace, () => ({ ...agent(), reply: 404 }) as never, { schema })
  expect(run.divergences.map(({ cause }) => cause)).toEqual(['outcome'])
})

it('asks nothing of the output of a run that threw', async () => {
  const failing = (): never => {
    throw new Error('no such order')
  }
  const { trace: thrown } = await recordRun(failing, { fails: true })
  const run = await replay(thrown, failing, { schema })
  expect(run.outcome.status).toBe('threw')
})

it('waits for schemas that take their time', async () => {
  const taken = z.object({ reply: z.string().refine(async (reply) => await Promise.resolve(reply !== 'On its way.'), 'is taken') })
  expect(await failure({ schema: { output: taken } })).toContain('    output.reply  is taken\n')
})

it('reads schemas whoever made them, with paths of either form', async () => {
  const validate = (): object => ({
    issues: [{ message: 'no', path: [{ key: 'reply' }, Symbol.for('kind'), 0] }, { message: 'not at all' }],
  })
  const output = Object.assign(() => undefined, { '~standard': { version: 1, vendor: 'a test', validate } as const })
  expect(await failure({ schema: { output } })).toContain(
    '    output.reply["Symbol(kind)"][0]  no\n    output                           not at all\n',
  )
})

it('holds each of several replays to it', async () => {
  let reply: string | number = 'On its way.'
  const changing = (): unknown => {
    const answer = { ...agent(), reply }
    reply = 404
    return answer
  }
  await expect(rerun(trace, changing, { times: 2, ignore: ['output.reply'], schema })).rejects.toThrow('the replayed run does not match it')
})

it('refuses a value that is not a schema', async () => {
  expect(await failure({ schema: { output: {} } } as never)).toBe(
    'replay: the option "schema.output" has to be a Standard Schema, such as one made with zod 3.24, valibot 1.0, arktype 2.0 or newer.',
  )
  expect(await failure({ schema: { checkpoints: { 'order-found': 'Order' } } } as never)).toContain(
    'the option "schema.checkpoints["order-found"]" has to be',
  )
  expect(await failure({ schema: { input: z.string() } } as never)).toBe(
    'replay: schema: the option "input" is not known. It takes: output, checkpoints.',
  )
})
