import undici from 'undici'
import { beforeAll, expect, it } from 'vitest'
import { createRecorder } from '../../../src/record/recorder.ts'
import { readTrace } from '../../../src/replay/traces/read-trace.ts'
import { currentRun } from '../../../src/run/current-run.ts'
import { rowsOf } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { fetchSlowly, keptAliveCases, listenInPieces, post, setUpTransports, testKeptAlive } from '../../support/waiting-transports.ts'

beforeAll(() => {
  undici.setGlobalDispatcher(new undici.Agent({ connections: 1, pipelining: 1 }))
})

setUpTransports()

testKeptAlive(keptAliveCases.slice(0, 1))

it('meets nothing of telemetry, which is muted', async () => {
  await using server = await listenInPieces(true)
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.path, mute: [new URL(server.url).host] })
  await post(server.url)
  const [id, ...sizes] = await recorder.run({ agent: 'agent', input: undefined }, async () => {
    return [currentRun()?.id, ...(await Promise.all([post(server.url), fetchSlowly(server.url)]))]
  })
  await recorder.close()
  const trace = await readTrace(String(id), { store: directory.path })
  expect([sizes, rowsOf(trace, 'note'), trace.steps.length]).toEqual([[150_001, 150_001], [], 0])
})
