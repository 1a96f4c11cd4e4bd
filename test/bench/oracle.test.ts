import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { findDifference } from '../../bench/verdicts/oracle/difference.ts'
import { print } from '../../bench/verdicts/oracle/print.ts'
import { type PrintedLog, printLog } from '../../bench/verdicts/oracle/print-log.ts'
import { type Environment, inEnvironment } from '../../bench/verdicts/world/environments.ts'
import { startWorldServer } from '../../bench/verdicts/world/world-server.ts'
import { pay, post, type SmallAgent } from './small-agents.ts'

// What tells right from wrong in the bench of verdicts. It runs agents in a world of its own, over real HTTP.

const server = await startWorldServer()
afterAll(() => server[Symbol.asyncDispose]())

async function watch(agent: SmallAgent): Promise<PrintedLog> {
  const world = server.open(() => ({ value: {} }))
  return printLog(await world.watch(() => agent(null, world.context)))
}

// That a declaration which the world does not see ends the bench: oracle.slow.test.ts.
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

it('sees what a service reads of headers: whose key it is, and not which', async () => {
  const ask =
    (headers: Readonly<Record<string, string>>): SmallAgent =>
    async (_input, { services }) => {
      await fetch(`${services}/account`, { headers: { 'x-api-key': process.env['BANK_SECRET_KEY'] ?? '', ...headers } })
    }
  const differs = async (headers: Readonly<Record<string, string>>, environment: Environment = 'production'): Promise<boolean> => {
    const unchanged = await inEnvironment('production', () => watch(ask({})))
    return findDifference(unchanged, await inEnvironment(environment, () => watch(ask(headers)))) !== undefined
  }
  expect(await differs({})).toBe(false)
  expect(await differs({}, 'ci')).toBe(false)
  expect(await differs({ 'user-agent': 'bank/2', traceparent: '00-1-2-01', 'x-stainless-lang': 'js' })).toBe(false)
  expect(await differs({ accept: '*/*', 'accept-language': '*' })).toBe(false)
  expect(await differs({ accept: 'text/csv' })).toBe(true)
  expect(await differs({ 'x-tenant': 'shop-2' })).toBe(true)
  expect(await differs({ 'x-api-key': 'bk_0000000000000000' })).toBe(true)
  expect(await inEnvironment('production', () => differs({ 'x-api-key': process.env['LEDGER_SECRET_KEY'] ?? '' }))).toBe(true)
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
