import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import type { Context } from '../../bench/verdicts/agents/context.ts'
import { checkDeclarations } from '../../bench/verdicts/check-declarations.ts'
import { after, at, benign, harmful, type Mutation } from '../../bench/verdicts/mutations/mutation.ts'
import { last, nth } from '../../bench/verdicts/mutations/places.ts'
import { findDifference } from '../../bench/verdicts/oracle/difference.ts'
import { print } from '../../bench/verdicts/oracle/print.ts'
import { type PrintedLog, printLog } from '../../bench/verdicts/oracle/print-log.ts'
import type { RecordedScene } from '../../bench/verdicts/record-scenes.ts'
import { startWorldServer } from '../../bench/verdicts/world/world-server.ts'

// What tells right from wrong in the bench of verdicts. It runs agents in a world of its own, over real HTTP.

type SmallAgent = (input: unknown, context: Context) => Promise<unknown>

const server = await startWorldServer()
afterAll(() => server[Symbol.asyncDispose]())

async function watch(agent: SmallAgent): Promise<PrintedLog> {
  const world = server.open(() => ({ value: {} }))
  return printLog(await world.watch(() => agent(null, world.context)))
}

const post = (context: Context, path: string, body: object): Promise<Response> =>
  fetch(`${context.url}/${path}`, { method: 'POST', body: JSON.stringify(body) })

const pay: SmallAgent = async (_input, context) => {
  const [key, trace] = [crypto.randomUUID(), crypto.randomUUID()]
  const from = Date.now()
  await post(context, 'payments', { key, trace })
  await post(context, 'ledger', { key, from, to: Date.now() })
  return { paid: true }
}

it('shares no code with what it judges', () => {
  const folder = fileURLToPath(new URL('../../bench/verdicts/', import.meta.url))
  const files = globSync('{oracle,world,mutations,scenes}/*.ts', { cwd: folder })
  expect(files.length).toBeGreaterThan(15)
  const importing = files.filter((file) => /from '(?:goldenrun|.*\/src\/)/.test(readFileSync(`${folder}${file}`, 'utf8')))
  expect(importing).toEqual([])
})

it('tells values apart that JSON makes equal, and minds no order of keys', () => {
  const values = [
    new Map([['a', 1]]),
    new Set(['a']),
    { a: 1 },
    [['a', 1]],
    1n,
    1,
    '1',
    null,
    undefined,
    {},
    { a: undefined },
    -0,
    0,
    new Date(0),
  ]
  expect(new Set(values.map((value) => print(value))).size).toBe(values.length)
  expect(print({ a: 1, b: new Map([[{ d: 1, c: 2 }, 1]]) })).toBe(print({ b: new Map([[{ c: 2, d: 1 }, 1]]), a: 1 }))
})

it('sees no difference between two runs, nor in one more draw', async () => {
  const drawing: SmallAgent = async (input, context) => {
    crypto.randomUUID()
    Date.now()
    return pay(input, context)
  }
  expect(findDifference(await watch(pay), await watch(pay))).toBe(undefined)
  expect(findDifference(await watch(pay), await watch(drawing))).toBe(undefined)
})

it.each<[name: string, agent: SmallAgent, difference: object]>([
  [
    'another key of two',
    async (_input, context) => {
      const [key, trace] = [crypto.randomUUID(), crypto.randomUUID()]
      const from = Date.now()
      await post(context, 'payments', { key, trace })
      await post(context, 'ledger', { key: trace, from, to: Date.now() })
      return { paid: true }
    },
    { lacking: 1, extra: 1, end: undefined },
  ],
  [
    'times that have changed places',
    async (_input, context) => {
      const [key, trace] = [crypto.randomUUID(), crypto.randomUUID()]
      const from = Date.now()
      await post(context, 'payments', { key, trace })
      await post(context, 'ledger', { key, from: Date.now(), to: from })
      return { paid: true }
    },
    { lacking: 1, extra: 1, end: undefined },
  ],
  [
    'a call after the return',
    async (input, context) => {
      const output = await pay(input, context)
      setTimeout(() => void post(context, 'payments', {}), 10)
      return output
    },
    { lacking: undefined, extra: 2, end: undefined },
  ],
  [
    'another result',
    async (input, context) => ({ ...((await pay(input, context)) as object), paid: 1 }),
    { lacking: undefined, extra: undefined, end: true },
  ],
])('sees %s', async (_name, agent, difference) => {
  expect(findDifference(await watch(pay), await watch(agent))).toMatchObject(difference)
})

it('sees that a call is given up, and that one comes after the return, where all else is equal', async () => {
  const ask =
    (limit: number): SmallAgent =>
    async (_input, context) => {
      await fetch(`${context.url}/orders`, { signal: AbortSignal.timeout(limit) }).catch(() => undefined)
    }
  expect(findDifference(await watch(ask(5000)), await watch(ask(2)))).toMatchObject({ lacking: 0, extra: 0, end: undefined })
  const tell =
    (when: (call: () => void) => void): SmallAgent =>
    async (_input, context) => {
      when(() => void post(context, 'orders', {}))
    }
  const now = await watch(tell((call) => call()))
  const later = await watch(tell((call) => setTimeout(call, 5)))
  expect(findDifference(now, later)).toMatchObject({ lacking: 0, extra: 0, end: undefined })
})

it('ends the bench where a declaration is not what the world sees', async () => {
  const world = server.open(() => ({ value: {} }))
  const log = await world.watch(() => pay(null, world.context))
  const scene = {
    name: 'paid',
    input: null,
    createScript: () => () => ({ value: {} }),
    calls: log.calls,
    printed: printLog(log),
  } as unknown as RecordedScene
  const check = (agent: SmallAgent, mutation: Mutation): Promise<void> => checkDeclarations(server, [scene], [{ agent, mutation }])
  const late: SmallAgent = async (input, context) => {
    const output = await pay(input, context)
    setTimeout(() => void post(context, 'payments', {}), 10)
    return output
  }
  await expect(check(pay, benign('none', 'unchanged'))).resolves.toBe(undefined)
  await expect(check(late, harmful('late', 'paid again', after(last(), 'unexpected-call')))).resolves.toBe(undefined)
  await expect(check(pay, harmful('none', 'unchanged', at(nth('POST /ledger'), 'input')))).rejects.toThrow(
    'none, unchanged, in paid: declared harmful, but the world cannot tell',
  )
  await expect(check(late, benign('late', 'paid again'))).rejects.toThrow(
    'late, paid again, in paid: declared benign, but the world can tell: another was made after call 2',
  )
  await expect(check(late, harmful('late', 'paid again', after(nth('POST /payments'), 'unexpected-call')))).rejects.toThrow(
    'declared unexpected-call after call 1, but the world says: another was made after call 2',
  )
  await expect(check(late, harmful('late', 'paid again', at(nth('POST /ledger'), 'input')))).rejects.toThrow(
    'declared input at call 2, but the world says: another was made after call 2',
  )
})
