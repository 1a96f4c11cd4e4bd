import { expect, it } from 'vitest'
import { external } from '../../../src/run/external.ts'
import { recordBeside } from '../../support/record-beside.ts'
import { rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { createGrpcClient, type GrpcClient, listenGrpc } from './grpc-server.ts'

/** The contacts that a trace notes. */
function notesOf(trace: Parameters<typeof rowsOf>[0]): string[] {
  return rowsOf(trace, 'note').map(({ what, where }) => `${what} ${where.replace(/:\d+:\d+$/, '')}`)
}

async function askGrpc(client: GrpcClient): Promise<unknown> {
  const said = await Promise.all([client.say('one'), client.say('two')])
  const counted: string[] = []
  for await (const number of client.count(200)) counted.push(number)
  return [said, counted]
}

async function askNewGrpc(host: string): Promise<unknown> {
  const client = createGrpcClient(host)
  try {
    return await askGrpc(client)
  } finally {
    client.close()
  }
}

const answers = [['one', 'two'], Array.from({ length: 200 }, (_, index) => String(index + 1))]

it('answers gRPC that was made a step', async () => {
  await using server = await listenGrpc()
  const agent = external('echo', () => askNewGrpc(server.host))
  const { trace, output } = await recordBeside(agent)
  expect([output, notesOf(trace)]).toEqual([answers, []])
  const { calls } = server
  await expectClean(trace, agent)
  expect(server.calls).toBe(calls)
})
