import { expect, it } from 'vitest'
import { AskedToolCalls } from '../../src/record/telemetry/asked-tool-calls.ts'
import { EventBuilder } from '../../src/record/telemetry/event-builder.ts'
import type { CallRow } from '../../src/trace/rows.ts'

const call = (step: number, fields: Partial<CallRow> = {}): CallRow => ({
  kind: 'call',
  step,
  owner: 0,
  boundary: 'tool',
  name: 'look',
  input: {},
  at: step,
  ...fields,
})

it('gives a tool the id of the call that asked for it: by its arguments, else as the only one of its name', () => {
  const asked = new AskedToolCalls()
  asked.add([
    { id: 'a', name: 'look', args: { id: 1, deep: { x: 1, y: 2 } } },
    { id: 'b', name: 'look', args: { id: 2 } },
    { id: 'c', name: 'pack', args: { id: 3 } },
  ])
  expect(asked.claim('look', { id: 2 })).toBe('b')
  expect(asked.claim('pack', { id: 'changed on the way' })).toBe('c')
  expect(asked.claim('pack', { id: 3 })).toBeUndefined()
  expect(asked.claim('look', { deep: { y: 2, x: 1 }, id: 1 })).toBe('a')
  expect(asked.claim('look', { id: 1 })).toBeUndefined()
})

it('gives no id where several calls may have asked', () => {
  const asked = new AskedToolCalls()
  asked.add([
    { id: 'a', name: 'look', args: 1 },
    { id: 'b', name: 'look', args: 2 },
  ])
  expect(asked.claim('look', 3)).toBeUndefined()
  expect(asked.claim('look', 1)).toBe('a')
})

it('tells of each step once, when it has settled, and at the end of those in flight', () => {
  const builder = new EventBuilder(false)
  builder.add(call(1))
  builder.add(call(2))
  expect(builder.take()).toEqual([])
  builder.add({ kind: 'return', step: 2, at: 3, output: 'secret' })
  const told = { kind: 'step', owner: 0, boundary: 'tool', name: 'look' }
  expect(builder.take()).toEqual([{ ...told, step: 2, at: 2, settledAt: 3 }])
  expect(builder.take()).toEqual([])
  builder.end()
  builder.end()
  expect(builder.take()).toEqual([{ ...told, step: 1, at: 1 }])
})

it('says that it failed, once, and nothing more', () => {
  const builder = new EventBuilder(false)
  builder.add(call(1, { boundary: 'model', name: 'openai.chat', input: undefined }))
  for (const step of [1, 1]) builder.add({ kind: 'return', step, at: 2 })
  builder.add(call(2))
  builder.add({ kind: 'return', step: 2, at: 3 })
  builder.end()
  expect(builder.take()).toEqual([{ kind: 'failure', problem: expect.stringContaining('TypeError') }])
})
