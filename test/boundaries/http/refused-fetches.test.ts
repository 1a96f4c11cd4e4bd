import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import type { HttpInput } from '../../../src/trace/rows.ts'
import { recordRun } from '../../support/record-run.ts'

const server = await listen(async (_request, response) => void response.end('{}'))
afterAll(() => server.close())

/** Calls that Node's fetch refuses, or that name headers like a property of objects. */
const calls: Readonly<Record<string, object>> = {
  'a name of a header with a space': { headers: { 'bad name': 'x' } },
  'a value with a line break': { headers: { a: 'x\ny' } },
  'a value beyond Latin-1': { headers: { a: '\u20AC' } },
  'a pair without a value': { headers: [['a']] },
  'null as headers': { headers: null },
  'a number as headers': { headers: 5 },
  'a symbol as value': { headers: { a: Symbol('x') } },
  'the method TRACE': { method: 'TRACE' },
  'a method with a space': { method: 'a b' },
  'the mode navigate': { mode: 'navigate' },
  'an unknown redirect mode': { redirect: 'x' },
  'a cache without an origin': { cache: 'only-if-cached' },
  'unknown credentials': { credentials: 'some' },
  'an unknown priority': { priority: 'some' },
  'a window': { window: 5 },
  'a signal that is none': { signal: {} },
  'a referrer that is no address': { referrer: '::' },
  'the body of a GET': { method: 'GET', body: 'x' },
  'a stream without duplex': { method: 'POST', body: new ReadableStream() },
  'an undefined header': { headers: { a: undefined, b: '1' } },
  'spaces around a value': { headers: { a: ' 1\t' } },
  'a list of values': { headers: { a: ['1', '2'] } },
  'names of properties': {
    headers: [
      ['__proto__', 'x1'],
      ['constructor', 'x2'],
      ['toString', 'x3'],
    ],
  },
}

it.each(Object.entries(calls))('is passed on as without a recorder, and replayed: %s', async (_what, init) => {
  const agent = async (): Promise<string> => {
    // A synchronous error would be another one.
    let asked: Promise<Response>
    try {
      asked = fetch(server.url, init)
    } catch (error) {
      return `at once: ${String(error)}`
    }
    return await asked.then(({ status }) => String(status), String)
  }
  const plain = await agent()
  expect(plain).not.toContain('at once')
  const { trace } = await recordRun(agent)
  expect(trace.end?.output).toBe(plain)
  expect((await replay(trace, agent)).divergences).toEqual([])
})

it('keeps the headers that were passed, though the caller reuses their object', async () => {
  const agent = async (): Promise<void> => {
    const headers: Record<string, string> = {}
    const asked: Promise<Response>[] = []
    for (const page of ['1', '2', '3']) {
      headers['x-page'] = page
      asked.push(fetch(server.url, { headers }))
    }
    await Promise.all(asked)
  }
  const { trace } = await recordRun(agent)
  expect(trace.steps.map(({ input }) => (input as HttpInput).headers)).toEqual([[['x-page', '1']], [['x-page', '2']], [['x-page', '3']]])
  expect((await replay(trace, agent)).divergences).toEqual([])
})

it('keeps headers that can be read only once', async () => {
  const agent = async (): Promise<number> => (await fetch(server.url, { headers: new Map([['x-page', '1']]).entries() as never })).status
  const { trace } = await recordRun(agent)
  expect(trace.steps.map(({ input }) => (input as HttpInput).headers)).toEqual([[['x-page', '1']]])
  expect((await replay(trace, agent)).divergences).toEqual([])
})
