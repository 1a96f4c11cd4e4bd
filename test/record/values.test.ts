import { expect, it } from 'vitest'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { UnkeptValue } from '../../src/trace/unkept-value.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'

class Money {
  readonly amount: number
  constructor(amount: number) {
    this.amount = amount
  }
  double(): number {
    return this.amount * 2
  }
}

interface Ring {
  name: string
  self?: Ring
}

function ring(): Ring {
  const made: Ring = { name: 'ring' }
  made.self = made
  return made
}

const kept: Readonly<Record<string, unknown>> = {
  bigint: 9_007_199_254_740_993n,
  date: new Date('2026-01-31T08:00:00.000Z'),
  map: new Map<unknown, unknown>([['a', new Set([1, 2])]]),
  bytes: new Uint8Array([0, 255, 1]),
  numbers: [Number.NaN, Number.POSITIVE_INFINITY, -0],
  undefined: [undefined, 1],
  nothing: null,
  url: new URL('http://example.com/a?b=c'),
  error: Object.assign(new RangeError('too far'), { code: 'E_FAR' }),
}

const notKept: Readonly<Record<string, unknown>> = {
  function: () => 1,
  symbol: Symbol('s'),
  promise: Promise.resolve(1),
  stream: new ReadableStream(),
}

const echo = tool('echo', { effect: 'write' }, async (value: unknown) => value)
const echoNow = external('echo-now', (value: unknown) => value)

for (const [kind, value] of Object.entries(kept)) {
  it(`keeps ${kind} in arguments, results, checkpoints and the output`, async () => {
    const { trace, output } = await recordRun(
      async (input: unknown) => {
        const results = [await echo({ value }), echoNow({ value })]
        checkpoint('state', { value })
        expect(results).toEqual([{ value }, { value }])
        return { value, input }
      },
      { input: value },
    )
    expect(output.value).toBe(value)
    expect(trace.header.input).toEqual(value)
    for (const step of trace.steps) expect([step.input, step.output]).toEqual([{ value }, { value }])
    expect(trace.checkpoints[0]?.state).toEqual({ value })
    expect(trace.end?.output).toEqual({ value, input: value })
    expect(rowsOf(trace, 'note')).toEqual([])
  })
}

for (const [kind, value] of Object.entries(notKept)) {
  it(`hands on a ${kind}, and notes that it was not kept`, async () => {
    const { trace, output } = await recordRun(async () => {
      const result = await echo({ value })
      checkpoint('state', { value })
      return { result }
    })
    expect(output.result).toEqual({ value })
    expect(trace.steps[0]?.input).toEqual({ value: expect.any(UnkeptValue) })
    expect(trace.end?.output).toEqual({ result: { value: expect.any(UnkeptValue) } })
    expect(rowsOf(trace, 'note').map(({ what, where }) => [what, where.replace(/: an? .*/, '')])).toEqual([
      ['unkept-value', 'echo input.value'],
      ['unkept-value', 'step 1 output.value'],
      ['unkept-value', 'checkpoint state.value'],
      ['unkept-value', 'output.result.value'],
    ])
  })
}

it('keeps a value that refers to itself', async () => {
  const { trace, output } = await recordRun(async () => await echo(ring()), { input: ring() })
  expect((output as Ring).self).toBe(output)
  for (const value of [trace.header.input, trace.steps[0]?.input, trace.steps[0]?.output, trace.end?.output]) {
    expect((value as Ring).self).toBe(value)
  }
})

it('keeps the fields of an instance, and hands the instance on', async () => {
  const { trace, output } = await recordRun(async () => {
    const money = await echo(new Money(21))
    return money instanceof Money ? money.double() : 0
  })
  expect(output).toBe(42)
  expect(trace.steps[0]).toMatchObject({ input: { amount: 21 }, output: { amount: 21 } })
})

it('keeps a value that fails when it is read as not kept', async () => {
  const touchy = Object.defineProperty({}, 'field', {
    enumerable: true,
    get: () => {
      throw new Error('do not touch')
    },
  })
  const { trace, output } = await recordRun(async () => (await echo(touchy)) === touchy)
  expect(output).toBe(true)
  expect(rowsOf(trace, 'note')[0]?.where).toBe('echo input.field: a field that throws when it is read (do not touch)')
})

it('notes what of the input could not be kept behind the header', async () => {
  const { trace } = await recordRun(() => 'done', { input: { save: () => 1 } })
  expect(trace.rows.map(({ kind }) => kind)).toEqual(['run', 'note', 'end', 'closed'])
})

it('never stores the context', async () => {
  const context = { database: { password: 'never-stored' }, log: () => undefined }
  const { text, output } = await recordRun((...args: unknown[]) => args.length, { input: 1, context })
  expect(output).toBe(2)
  expect(text).not.toContain('never-stored')
})
