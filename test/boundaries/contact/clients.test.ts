import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { recordBeside } from '../../support/record-beside.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { createGrpcClient, type GrpcClient, listenGrpc } from './grpc-server.ts'
import { listenWebSocket } from './web-socket-server.ts'

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

async function askWs(host: string): Promise<string[]> {
  const socket = new WebSocket(`ws://${host}/`)
  await once(socket, 'open')
  const heard: string[] = []
  for (const text of ['one', 'two']) {
    socket.send(text)
    const [message] = (await once(socket, 'message')) as [Buffer]
    heard.push(message.toString())
  }
  const closed = once(socket, 'close')
  socket.close()
  await closed
  return heard
}

it('leaves gRPC undisturbed when recording, with a note of who was contacted and from where', async () => {
  await using server = await listenGrpc()
  const { trace, output } = await recordBeside(() => askNewGrpc(server.host))
  expect(output).toEqual(answers)
  expect(trace.steps).toEqual([])
  // It connects of its own accord, in a later turn: no line of the agent leads there.
  const place = 'at node_modules/@grpc/grpc-js/build/src/transport.js'
  expect(notesOf(trace)).toEqual([`unrecorded-contact tcp ${server.host} ${place}`, `unrecorded-contact http2 ${server.host} ${place}`])
})

it('refuses gRPC on replay, though its client swallows the refusal and tries again', async () => {
  await using server = await listenGrpc()
  const { trace } = await recordRun(() => askNewGrpc(server.host))
  const { calls } = server
  let caught: unknown
  const run = await replay(trace, () =>
    askNewGrpc(server.host).catch((error: unknown) => {
      caught = error
      return answers
    }),
  )
  expect(run.divergences).toMatchObject([{ cause: 'unrecorded-contact', name: `tcp ${server.host}` }])
  expect(run.outcome).toEqual({ status: 'stopped', divergence: run.divergences[0] })
  expect(String(caught)).toContain(`The replay refused to contact ${server.host} (tcp): the trace has no answer for it.`)
  expect(String(caught)).toContain("make it a step, external('name', fn), and record the run again.")
  expect(server.calls).toBe(calls)
})

it('meets gRPC over a connection that was made before the run', async () => {
  await using server = await listenGrpc()
  const release = installDoors()
  const client = createGrpcClient(server.host)
  expect(await askGrpc(client)).toEqual(answers)
  const { trace, output } = await recordRun(() => askGrpc(client))
  expect(output).toEqual(answers)
  expect(notesOf(trace)).toEqual([`unrecorded-contact http2 ${server.host} at node_modules/@grpc/grpc-js/build/src/transport.js`])
  const { calls } = server
  const run = await replay(trace, () => askGrpc(client).catch(() => 'caught'))
  expect(run.divergences).toMatchObject([{ cause: 'unrecorded-contact', name: `http2 ${server.host}` }])
  expect(server.calls).toBe(calls)
  // The connection is others' too, and as it was.
  expect(await askGrpc(client)).toEqual(answers)
  client.close()
  release()
})

it('answers gRPC that was made a step', async () => {
  await using server = await listenGrpc()
  const agent = external('echo', () => askNewGrpc(server.host))
  const { trace, output } = await recordBeside(agent)
  expect([output, notesOf(trace)]).toEqual([answers, []])
  const { calls } = server
  await expectClean(trace, agent)
  expect(server.calls).toBe(calls)
})

it('leaves a WebSocket of the ws package undisturbed when recording, and refuses it on replay', async () => {
  await using server = await listenWebSocket()
  const { trace, output } = await recordBeside(() => askWs(server.host))
  expect(output).toEqual(['one', 'two'])
  expect(trace.steps).toEqual([])
  // It hands Node a connection of its own making, which is met before anybody knows what it will carry.
  expect(notesOf(trace)).toEqual([`unrecorded-contact tcp ${server.host} at test/boundaries/contact/clients.test.ts`])

  const before = server.connections
  let caught: unknown
  const run = await replay(trace, () => askWs(server.host).catch((error: unknown) => (caught = error)))
  expect(run.divergences).toMatchObject([{ cause: 'unrecorded-contact', name: `tcp ${server.host}` }])
  expect(run.outcome.status).toBe('stopped')
  expect(String(caught)).toContain(`The replay refused to contact ${server.host} (tcp): the trace has no answer for it.`)
  expect(String(caught)).toContain("If it may stay live, declare it at the call: live('reason', fn)")
  expect(server.connections).toBe(before)
})
