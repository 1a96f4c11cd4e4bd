import { expect, it } from 'vitest'
import { external } from '../../src/run/external.ts'
import { recordRun } from '../support/record-run.ts'

it('calls the function and nothing else outside a run', async () => {
  const find = external('orders.find', async (id: string) => ({ id }))
  expect(find).toHaveLength(1)
  await expect(find('ord_1')).resolves.toEqual({ id: 'ord_1' })
})

it('makes an external step of each call inside a run', async () => {
  const find = external('orders.find', async (id: string) => ({ id }))
  const { trace, output } = await recordRun(() => find('ord_1'))
  expect(output).toEqual({ id: 'ord_1' })
  expect(trace.steps).toMatchObject([
    { step: 1, owner: 0, boundary: 'external', name: 'orders.find', input: 'ord_1', output: { id: 'ord_1' } },
  ])
})

it('keeps `this` inside a run', async () => {
  const orders = {
    table: 'orders',
    count: external('count', function (this: { table: string }) {
      return this.table
    }),
  }
  const { output } = await recordRun(() => orders.count())
  expect(output).toEqual('orders')
})
