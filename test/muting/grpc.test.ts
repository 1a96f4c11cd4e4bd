import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'

const exporting = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
const asking = '/lab.Traces/Find'
const asIs = (bytes: Buffer): Buffer => bytes

/** A server that has a collector's service and one of its own at the same address. */
async function listenBoth(): Promise<{ readonly host: string; readonly calls: string[]; stop(): void }> {
  const calls: string[] = []
  const server = new Server()
  for (const path of [exporting, asking]) {
    const method = { path, requestStream: false, responseStream: false }
    const codecs = { requestSerialize: asIs, requestDeserialize: asIs, responseSerialize: asIs, responseDeserialize: asIs }
    server.addService(
      { call: { ...method, ...codecs } },
      {
        call: (_: unknown, done: (error: null, bytes: Buffer) => void) => {
          calls.push(path)
          done(null, Buffer.from([0x08, 0x07]))
        },
      },
    )
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return { host: `127.0.0.1:${port}`, calls, stop: () => server.forceShutdown() }
}

function call(client: Client, path: string, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(path, asIs, asIs, bytes, (error, answer) =>
      error === null ? resolve(answer?.toString('hex') ?? 'nothing') : reject(error),
    ),
  )
}

it('leaves out what a collector is sent, and records another service at its address', async () => {
  const server = await listenBoth()
  const client = new Client(server.host, credentials.createInsecure())
  const agent = (batches: number, id: number) => async () => {
    for (let batch = 0; batch < batches; batch += 1) await call(client, exporting, Buffer.from([0x0a, 0x02, 0x0a, 0x00]))
    return await call(client, asking, Buffer.from([0x08, id]))
  }
  const { trace, stats } = await recordRun(agent(2, 1))
  server.stop()
  expect(server.calls).toEqual([exporting, exporting, asking])
  expect([stats.muted, trace.steps.map(({ name }) => name)]).toEqual([2, ['grpc lab.Traces/Find']])
  for (const batches of [0, 2, 3]) {
    const run = await replay(trace, agent(batches, 1))
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: '0807' }])
  }
  expect((await replay(trace, agent(2, 2))).divergences[0]).toMatchObject({ cause: 'input', name: 'grpc lab.Traces/Find' })
  client.close()
})
