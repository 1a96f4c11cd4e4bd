import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

class OrderError extends Error {
  override readonly name = 'OrderError'
  readonly order: string
  constructor(order: string) {
    super(`no order ${order}`)
    this.order = order
  }
  describe(): string {
    return `${this.message}!`
  }
}

/** What an agent may look at of an error. */
function look(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: error }
  const { name, message, code, status, cause, ...fields } = error as Error & Record<'code' | 'status', unknown>
  return { name, message, code, status, cause: cause === undefined ? undefined : look(cause), fields, isError: true }
}

const errors: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('plain'),
  'a type error': () => new TypeError('no function'),
  'an error with code and status': () =>
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED', status: 503, detail: { retry: true } }),
  'an error with causes': () => new Error('outer', { cause: new RangeError('inner', { cause: 'text' }) }),
  'an error of a class of its own': () => new OrderError('ord_1'),
  'an abort': () => new DOMException('stopped', 'AbortError'),
  'several errors': () => new AggregateError([new Error('one'), new TypeError('two')], 'all failed'),
  text: () => 'just text',
  nothing: () => undefined,
  'an object': () => ({ reason: 'tired' }),
}

for (const [kind, make] of Object.entries(errors)) {
  it(`throws ${kind} again, from a tool and an external, at once and later`, async () => {
    const later = tool('later', {}, async () => Promise.reject(make() as Error))
    const now = external('now', () => {
      throw make() as Error
    })
    const agent = async (): Promise<unknown[]> => {
      const seen: unknown[] = [await later().catch(look)]
      try {
        now()
      } catch (error) {
        seen.push(look(error))
      }
      return seen
    }
    const { trace } = await recordRun(agent)
    await expectClean(trace, agent)
  })

  it(`ends in ${kind} where the recorded run did`, async () => {
    const agent = async (): Promise<never> => {
      throw make()
    }
    const { trace } = await recordRun(agent, { fails: true })
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome.status, run.hash]).toEqual([[], 'threw', trace.hash])
  })
}

it('throws instances of the language’s classes, and of those that the tool names', async () => {
  const throwing = [new TypeError('a'), new RangeError('b'), new OrderError('ord_1'), new DOMException('c', 'AbortError')]
  const fail = tool('fail', { errors: [OrderError] }, async (index: number) => Promise.reject(throwing[index] ?? new Error('none')))
  const agent = async (): Promise<unknown> => {
    const seen: unknown[] = []
    for (const index of throwing.keys()) {
      const error: unknown = await fail(index).catch((thrown: unknown) => thrown)
      seen.push([error instanceof TypeError, error instanceof RangeError, error instanceof OrderError, error instanceof DOMException])
      if (error instanceof OrderError) seen.push(error.describe(), error.order)
    }
    return seen
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([
    [true, false, false, false],
    [false, true, false, false],
    [false, false, true, false],
    'no order ord_1!',
    'ord_1',
    [false, false, false, true],
  ])
  await expectClean(trace, agent)
})

it('gives an error a stack of the replay', async () => {
  const fail = tool('fail', {}, async () => Promise.reject(new Error('no luck')))
  const agent = async (): Promise<boolean> => ((await fail().catch((error: Error) => error.stack)) ?? '').includes('no luck')
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})

it('does not end the process over a recorded error that is not awaited', async () => {
  const fail = tool('fail', {}, async () => Promise.reject(new Error('no luck')))
  const agent = async (): Promise<string> => {
    void fail().catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 2))
    return 'done'
  }
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
  const run = await replay(trace, async () => {
    void fail()
    await new Promise((resolve) => setTimeout(resolve, 2))
    return 'done'
  })
  expect(run.divergences).toEqual([])
})

it('tells an outcome that differs', async () => {
  const { trace } = await recordRun(() => Promise.reject(new Error('no luck')), { fails: true })
  const other = await replay(trace, () => Promise.reject(new Error('other luck')))
  const none = await replay(trace, () => 'luck')
  expect([other, none].map(({ divergences }) => divergences.map(({ cause, step, position }) => [cause, step, position]))).toEqual([
    [['outcome', 0, 'after']],
    [['outcome', 0, 'after']],
  ])
  expect(other.divergences[0]?.differences).toEqual([{ path: 'error.message', expected: 'no luck', received: 'other luck' }])
  expect(other.outcome).toMatchObject({ status: 'threw', error: { message: 'other luck' } })
  expect(none.outcome).toEqual({ status: 'returned', output: 'luck' })
})
