import { tool as defineTool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { wrapTools } from '../../src/run/wrap-tools.ts'
import { recordRun } from '../support/record-run.ts'

const findOrder = defineTool({
  description: 'Finds an order',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }, { toolCallId }) => ({ id, toolCallId }),
})

const callOptions = { toolCallId: 'call_1', messages: [{ role: 'user' as const, content: 'Where is it?' }], context: {} }

it('returns the same shape, and calls through outside a run', async () => {
  const plain = async (args: { id: string }): Promise<string> => args.id
  const tools = { findOrder, plain, hosted: { type: 'provider' } }
  const wrapped = wrapTools(tools)
  expect(Object.keys(wrapped)).toEqual(['findOrder', 'plain', 'hosted'])
  expect(wrapped.hosted).toBe(tools.hosted)
  expect({ ...wrapped.findOrder, execute: undefined }).toEqual({ ...findOrder, execute: undefined })
  expect(wrapped.plain).toHaveLength(1)
  await expect(wrapped.plain({ id: 'ord_1' })).resolves.toBe('ord_1')
  expect(await wrapped.findOrder.execute?.({ id: 'ord_1' }, callOptions)).toEqual({ id: 'ord_1', toolCallId: 'call_1' })
})

it('leaves the tools that it was given as they were', () => {
  const { execute } = findOrder
  wrapTools({ findOrder })
  expect(findOrder.execute).toBe(execute)
})

it('makes a step of a plain function', async () => {
  const tools = wrapTools({ cancel_order: async (args: { id: string }) => args.id }, { effects: { cancel_order: 'write' } })
  const { trace } = await recordRun(() => tools.cancel_order({ id: 'ord_1' }))
  expect(trace.steps).toMatchObject([{ boundary: 'tool', name: 'cancel_order', effect: 'write', input: { id: 'ord_1' }, output: 'ord_1' }])
})

it('makes a step of an AI SDK tool, with its first argument as the input', async () => {
  const tools = wrapTools({ find_order: findOrder })
  const { trace, output } = await recordRun(async () => await tools.find_order.execute?.({ id: 'ord_1' }, callOptions))
  expect(output).toEqual({ id: 'ord_1', toolCallId: 'call_1' })
  expect(trace.steps).toMatchObject([
    { boundary: 'tool', name: 'find_order', input: { id: 'ord_1' }, output: { id: 'ord_1', toolCallId: 'call_1' } },
  ])
})

it('keeps `this` of a tool object whose function uses it', async () => {
  class Greeter {
    readonly greeting = 'Hello'
    execute({ name }: { name: string }): string {
      return `${this.greeting} ${name}`
    }
  }
  const tools = wrapTools({ greet: new Greeter() })
  expect(tools.greet).toBeInstanceOf(Greeter)
  const { output } = await recordRun(() => tools.greet.execute({ name: 'Ada' }))
  expect(output).toEqual('Hello Ada')
})
