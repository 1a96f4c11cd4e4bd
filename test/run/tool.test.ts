import { expect, it } from 'vitest'
import { tool } from '../../src/run/tool.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'

it('calls the function and nothing else outside a run', () => {
  const add = tool('add', {}, (a: number, b: number) => a + b)
  expect(add(1, 2)).toBe(3)
})

it('says what it takes where the options were left out', () => {
  const withoutOptions = tool as unknown as (name: string, body: () => number) => unknown
  expect(() => withoutOptions('add', () => 3)).toThrow(
    'tool: the option "body" of add is not a function. Call it as tool(name, options, function).',
  )
})

it('returns the same promise as the function outside a run', () => {
  const promise = Promise.resolve(1)
  expect(tool('promised', {}, () => promise)()).toBe(promise)
})

it('throws the same error as the function outside a run', () => {
  const error = new RangeError('too far')
  const fail = tool('fail', {}, (): never => {
    throw error
  })
  expect(fail).toThrow(error)
})

it('keeps the name, the length and the own properties of the function', () => {
  function original(a: string, b: string): string {
    return a + b
  }
  const wrapped = tool('join', {}, Object.assign(original, { description: 'joins two words' }))
  expect({ name: wrapped.name, length: wrapped.length, description: Reflect.get(wrapped, 'description') }).toEqual({
    name: 'original',
    length: 2,
    description: 'joins two words',
  })
})

it('keeps `this` outside a run and inside', async () => {
  const shop = {
    prefix: 'ord_',
    find: tool('find', {}, function (this: { prefix: string }, id: number) {
      return this.prefix + id
    }),
  }
  const { output } = await recordRun(() => shop.find(7))
  expect([shop.find(7), output]).toEqual(['ord_7', 'ord_7'])
})

it('draws the idempotency key only inside a run', async () => {
  const keys: string[] = []
  const idempotencyKey = (id: string): string => (keys.push(id), id)
  const refund = tool('refund', { effect: 'write', idempotencyKey }, (id: string) => id)
  refund('outside')
  await recordRun(() => refund('inside'))
  expect(keys).toEqual(['inside'])
})

it('makes a step of each call inside a run', async () => {
  const find = tool('find_order', { effect: 'read' }, async (args: { id: string }) => ({ ...args, status: 'packed' }))
  const { trace } = await recordRun(() => find({ id: 'ord_1' }))
  expect(trace.steps).toEqual([
    {
      step: 1,
      owner: 0,
      boundary: 'tool',
      name: 'find_order',
      effect: 'read',
      input: { id: 'ord_1' },
      output: { id: 'ord_1', status: 'packed' },
      at: expect.any(Number),
      settledAt: expect.any(Number),
    },
  ])
})

it('takes a single argument as the input, and several as a list', async () => {
  const add = tool('add', {}, (...numbers: number[]) => numbers.length)
  const { trace } = await recordRun(() => [add(), add(1), add(1, 2)])
  expect(trace.steps.map(({ input }) => input)).toEqual([[], 1, [1, 2]])
})

it('marks a call that gave its result at once, and leaves it so', async () => {
  const now = tool('now', {}, () => 1)
  const later = tool('later', {}, async () => 2)
  const { trace, output } = await recordRun(async () => [now(), await later()])
  expect(output).toEqual([1, 2])
  expect(rowsOf(trace, 'return').map(({ step, sync }) => [step, sync])).toEqual([
    [1, true],
    [2, undefined],
  ])
})

it('records what the function threw, and throws it on', async () => {
  const error = Object.assign(new RangeError('too far'), { code: 'E_FAR', status: 416, limit: 3 })
  const now = tool('now', {}, (): never => {
    throw error
  })
  const later = tool('later', {}, async (): Promise<never> => {
    throw error
  })
  const caught: unknown[] = []
  const { trace } = await recordRun(async () => {
    try {
      now()
    } catch (thrown) {
      caught.push(thrown)
    }
    await later().catch((thrown: unknown) => caught.push(thrown))
  })
  expect(caught.map((thrown) => thrown === error)).toEqual([true, true])
  const recorded = { name: 'RangeError', message: 'too far', code: 'E_FAR', status: 416, fields: { limit: 3 } }
  expect(rowsOf(trace, 'throw').map(({ step, error: kept, sync }) => [step, kept, sync])).toEqual([
    [1, recorded, true],
    [2, recorded, undefined],
  ])
})

it('owns what happens in its body, its own calls included', async () => {
  const inner = tool('inner', {}, async () => 'in')
  const outer = tool('outer', {}, async () => {
    Math.random()
    await inner()
    Math.random()
  })
  const { trace } = await recordRun(async () => {
    await outer()
    Math.random()
  })
  expect(trace.steps.map(({ name, owner }) => [name, owner])).toEqual([
    ['outer', 0],
    ['inner', 1],
  ])
  expect(rowsOf(trace, 'reads').map(({ owner }) => owner)).toEqual([1, 1, 0])
})

it('keeps the arguments as they were when it was called', async () => {
  const change = tool('change', {}, async (order: { status: string }) => {
    order.status = 'cancelled'
    return order
  })
  const { trace } = await recordRun(() => change({ status: 'packed' }))
  expect(trace.steps[0]).toMatchObject({ input: { status: 'packed' }, output: { status: 'cancelled' } })
})

it('treats a failing idempotency key as no key, and makes the call anyway', async () => {
  const idempotencyKey = (order: { customer?: { id: string } }): string => {
    if (order.customer === undefined) throw new TypeError('no customer')
    return order.customer.id
  }
  const refund = tool('refund', { effect: 'write', idempotencyKey }, async () => 'refunded')
  const { output, trace } = await recordRun(() => refund({}))
  expect(output).toEqual('refunded')
  expect(trace.steps[0]).not.toHaveProperty('idempotencyKey')
  expect(rowsOf(trace, 'note')).toEqual([
    { kind: 'note', what: 'unkept-value', where: 'refund idempotencyKey: no customer', at: expect.any(Number) },
  ])
})

it('takes a key that is no text or number as no key, since all of them would look alike', async () => {
  // @ts-expect-error a promise of a key
  const refund = tool('refund', { effect: 'write', idempotencyKey: async (id: string) => id }, async (id: string) => id)
  const { stats } = await recordRun(async () => [await refund('a'), await refund('b')])
  expect(stats.flagged).toBe(0)
})

it('returns what a lazy thenable resolves to', async () => {
  let started = 0
  const query = tool('query', {}, (): PromiseLike<string> => ({
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve, reject) => {
      started += 1
      return Promise.resolve('row').then(resolve, reject)
    },
  }))
  const { output, trace } = await recordRun(async () => await query())
  expect([output, started, trace.steps[0]?.output]).toEqual(['row', 1, 'row'])
})
