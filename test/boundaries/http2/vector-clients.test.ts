import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { toGoldenTrace } from '../../support/replay-clean.ts'
import { listenQdrant } from './qdrant-server.ts'
import { listenWeaviate } from './weaviate-server.ts'
import { openQdrant, openWeaviate, seen, steps, useQdrant, useWeaviate } from '../../support/vector-clients.ts'

it('replays the client of Qdrant with the server gone, four times of four', async () => {
  const server = await listenQdrant()
  const agent = (): Promise<unknown> => useQdrant(openQdrant(server), 'books')
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual([
    '2',
    [
      ['1', 0.25],
      ['2', 0.5],
    ],
    [0.25, 0.5, 0.75],
    [5, 'there is no collection “missing”'],
  ])
  expect([trace.steps.map(({ name }) => name), rowsOf(trace, 'note')]).toEqual([steps, []])
  expect(trace.steps[0]?.input).toMatchObject({ message: { 1: 'books', 2: 1, 3: [{ 3: { 1: 'title' } }, {}] } })
  server.stop()
  for (let time = 0; time < 4; time += 1) {
    const run = await replay(time % 2 === 0 ? trace : toGoldenTrace(trace), agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})

it('replays a deadline of the client of Qdrant', async () => {
  const server = await listenQdrant()
  const agent = async (): Promise<unknown> => {
    const { upsert } = openQdrant(server, 300).api('points')
    return await upsert({ collectionName: 'slow', points: [] }).catch(seen)
  }
  const { output, trace } = await recordRun(agent)
  // The client has a timer of its own.
  expect([(output as unknown[])[0], trace.steps.map(({ name }) => name)]).toEqual([1, [steps[0], `${steps[0]} cancel`]])
  server.stop()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays the client of Weaviate with the server gone, four times of four', async () => {
  const server = await listenWeaviate()
  const agent = async (): Promise<unknown> => {
    const client = await openWeaviate(server)
    const output = await useWeaviate(client, 'Books')
    await client.close()
    return output
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toMatchObject([['too long'], [[{}, { title: 'Books 0', rank: 0 }, 0], {}, {}], expect.stringContaining('class Missing')])
  expect(trace.steps.map(({ name }) => name).filter((name) => name.startsWith('grpc'))).toEqual([
    'grpc grpc.health.v1.Health/Check',
    ...['Search', 'BatchObjects', 'Search'].map((name) => `grpc weaviate.v1.Weaviate/${name}`),
  ])
  expect(rowsOf(trace, 'note')).toEqual([])
  server.stop()
  for (let time = 0; time < 4; time += 1) {
    const run = await replay(time % 2 === 0 ? trace : toGoldenTrace(trace), agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})
