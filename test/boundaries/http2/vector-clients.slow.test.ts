import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, startRecorder } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { listenQdrant } from './qdrant-server.ts'
import { listenWeaviate } from './weaviate-server.ts'
import { openQdrant, openWeaviate, steps, useQdrant, useWeaviate } from '../../support/vector-clients.ts'

it('keeps eight runs apart that share a client of Qdrant, and reports a change of one of its messages at the line of the agent', async () => {
  await using server = await listenQdrant()
  const client = openQdrant(server)
  await useQdrant(client, 'before')
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => useQdrant(client, name), {})))
  const { calls } = server
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    expect(trace.steps.map((step) => step.name)).toEqual(steps)
    expect(new Set(JSON.stringify(trace.steps.map(({ input }) => input)).match(/run \d/g))).toEqual(new Set([name]))
    await expectClean(trace, () => useQdrant(client, name))
  }
  const [first] = runs
  const [divergence] = (await replay(first?.trace ?? '', () => useQdrant(client, 'run 9'), { traceCallSites: true })).divergences
  expect(divergence).toMatchObject({
    cause: 'input',
    step: 1,
    name: steps[0],
    differences: [{ path: 'args.message["1"]', expected: 'run 0', received: 'run 9' }],
  })
  expect(divergence?.site?.file).toContain('test/support/vector-clients.ts')
  expect(server.calls).toBe(calls)
})

it('replays a deadline of the client of Weaviate, and reports a change of one of its messages at the line of the agent', async () => {
  await using server = await listenWeaviate()
  const client = await openWeaviate(server, 0.4)
  const agent = async (word: string): Promise<unknown> => {
    const slow = client.collections.use('Slow').query.fetchObjects({ limit: 1 })
    return [await slow.catch(({ message }: Error) => message), await useWeaviate(client, word)]
  }
  await useWeaviate(client, 'Before')
  const { output, trace } = await recordRun(() => agent('Books'))
  expect((output as unknown[])[0]).toMatch(/timed out/)
  const { calls } = server
  await expectClean(trace, () => agent('Books'))
  const { divergences } = await replay(trace, () => agent('Films'), { traceCallSites: true })
  expect(divergences[0]).toMatchObject({ cause: 'input', name: expect.stringMatching(/BatchObjects|Search/) as string })
  expect(divergences[0]?.site?.file).toContain('vector-clients.ts')
  expect(server.calls).toBe(calls)
  await client.close()
})
