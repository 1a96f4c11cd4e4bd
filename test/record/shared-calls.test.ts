import { text as textOf } from 'node:stream/consumers'
import DataLoader from 'dataloader'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { refuseDivergent } from '../../src/replay/goldens/promotion/trial.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** The ids that each request of customers asked for, as they arrived. */
const served: string[][] = []

const server = await listen(async (request, response) => {
  const text = await textOf(request)
  if (request.method === 'POST') served.push(JSON.parse(text) as string[])
  await new Promise((resolve) => setTimeout(resolve, 3))
  response.end(request.method === 'POST' ? text : '"found"')
})
const { host } = new URL(server.url)
afterAll(() => server.close())
beforeEach(() => void served.splice(0))

const fetchAll = async (ids: readonly string[]): Promise<string[]> => {
  const answer = await fetch(`${server.url}/customers`, { method: 'POST', body: JSON.stringify(ids) })
  return (await answer.json()) as string[]
}

const lookUp = async (id: string): Promise<unknown> =>
  await (await fetch(`${server.url.replace('127.0.0.1', 'localhost')}/orders/${id}`)).json()

/** Records a run of each agent, all at once, and gives their traces. */
async function recordAtOnce<Agents extends readonly ((input: string) => Promise<unknown>)[]>(
  agents: readonly [...Agents],
): Promise<{ [index in keyof Agents]: Trace }> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const recorder = createRecorder({ store })
  const ids: string[] = []
  await Promise.all(
    agents.map((agent, index) =>
      recorder.run({ agent: `agent-${index}`, input: `customer-${index}` }, (input) => {
        ids[index] = currentRun()?.id ?? ''
        return agent(input)
      }),
    ),
  )
  await recorder.close()
  return (await Promise.all(ids.map((id) => readTrace(id, { store })))) as { [index in keyof Agents]: Trace }
}

const sharedCallsOf = ({ rows }: Trace): string[] =>
  rows.flatMap((row) => (row.kind === 'note' && row.what === 'shared-call' ? [row.where] : []))

it('notes in both runs that one call answered them', async () => {
  const customers = new DataLoader(fetchAll)
  const [first, second] = await recordAtOnce([(id) => customers.load(id), (id) => customers.load(id)])
  // What went over the wire: one request, in the run that asked first.
  expect(served).toEqual([['customer-0', 'customer-1']])
  expect(first.steps.length + second.steps.length).toBe(1)
  expect(sharedCallsOf(second)).toEqual([`${host}: step 1 of the run ${first.header.id} may also have answered this run`])
  expect(sharedCallsOf(first)).toEqual([`${host}: step 1 may also have answered the run ${second.header.id}`])
})

it('notes a shared call that comes after calls of its own', async () => {
  const customers = new DataLoader(fetchAll, { batchScheduleFn: (send) => setTimeout(send, 20) })
  const agent = async (id: string): Promise<string> => {
    await lookUp(id)
    return await customers.load(id)
  }
  const traces = await recordAtOnce([agent, agent])
  expect(served).toHaveLength(1)
  expect(traces.reduce((sum, { steps }) => sum + steps.length, 0)).toBe(3)
  expect(traces.map((trace) => sharedCallsOf(trace).length)).toEqual([1, 1])
})

it('notes nothing where runs take turns and each makes its own call', async () => {
  let turn: Promise<unknown> = Promise.resolve()
  const agent = async (id: string): Promise<unknown> => {
    const before = turn
    let finish = (): void => undefined
    turn = new Promise<void>((resolve) => (finish = resolve))
    await before
    const answer = await fetchAll([id])
    finish()
    return answer
  }
  const traces = await recordAtOnce([agent, agent, agent])
  expect(served).toHaveLength(3)
  expect(traces.map(({ steps }) => steps.length)).toEqual([1, 1, 1])
  expect(traces.flatMap(sharedCallsOf)).toEqual([])
})

it('notes nothing of twenty runs that only run at the same time', async () => {
  const agent = async (id: string): Promise<unknown> => {
    await lookUp(id)
    await new Promise((resolve) => setTimeout(resolve, 2))
    await Promise.all([fetchAll([id]), lookUp(id)])
    return await lookUp(id)
  }
  const traces = await recordAtOnce(Array.from({ length: 20 }, () => agent))
  expect(traces.map(({ steps }) => steps.length)).toEqual(Array.from({ length: 20 }, () => 4))
  expect(traces.flatMap(sharedCallsOf)).toEqual([])
})

it('says what differs in a run that holds a bigint', async () => {
  const count = tool('count', {}, async (_from: string) => 1n)
  const { trace } = await recordRun(() => count('a'))
  const run = await replay(trace, () => count('b'))
  expect(() => refuseDivergent(trace, run.divergences, undefined)).toThrow(/step 1 \(count\): input at args: expected "a", received "b"/)
})

it('says why a run without its own call does not replay', async () => {
  const loaders = { now: new DataLoader(fetchAll) }
  const agent = (id: string): Promise<unknown> => loaders.now.load(id)
  const [, second] = await recordAtOnce([agent, agent])
  loaders.now = new DataLoader(fetchAll)
  const run = await replay(second, agent)
  expect(run.divergences.map(({ cause }) => cause)).toEqual(['unexpected-call'])
  expect(() => refuseDivergent(second, run.divergences, undefined)).toThrow(
    /one call may have answered several runs.*: step 1 of the run .* may also have answered this run\)\. Wrap the calls to the loader with external\(\)/,
  )
})
