import { credentials, InterceptingCall, type InterceptorOptions, Metadata, type NextCall, type ServiceError, status } from '@grpc/grpc-js'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { certificate, privateKey } from '../../conformance/certificate.ts'
import { startRecorder, recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean, toGoldenTrace } from '../../support/replay-clean.ts'
import { type Asked, createShopClient, getOrder, listenShop, type OrdersClient } from './shop-server.ts'
import { talk } from '../../support/grpc-runs.ts'

it.each([
  ['opened before', true],
  ['that the runs open', false],
])('keeps eight runs at once apart on a channel %s', async (_form, isOpen) => {
  const server = await listenShop()
  const client = createShopClient(server.host)
  if (isOpen) await getOrder(client, 'before')
  const agent = async (name: string): Promise<unknown> => {
    const heard: unknown[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      heard.push(((await getOrder(client, `${name} ${turn}`)) as Asked).id)
      heard.push(await talk(client, [`${name} word`, String(turn)]))
    }
    return heard
  }
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => agent(name), {})))
  server.stop()
  for (const [index, { trace, output }] of runs.entries()) {
    const name = names[index] ?? ''
    expect(trace.steps.filter(({ input }) => /"run \d/.test(JSON.stringify(input)))).toHaveLength(10)
    expect(trace.steps).toHaveLength(5 * (1 + 4))
    expect(
      JSON.stringify(trace.steps.map(({ input }) => input))
        .match(/run \d/g)
        ?.every((text) => text === name),
    ).toBe(true)
    expect(rowsOf(trace, 'note')).toEqual([])
    const replayed = await replay(trace, () => agent(name))
    expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output }])
  }
  client.close()
})

it('keeps runs apart whose calls are made in callbacks of others', async () => {
  await using server = await listenShop()
  const client = createShopClient(server.host)
  await getOrder(client, 'before')
  const agent = (name: string): Promise<unknown> =>
    new Promise((resolve) => {
      client.Get({ id: `${name} a` }, () => {
        const stream = client.Watch({ id: `${name} b`, count: 1 })
        stream.on('data', () => undefined)
        stream.on('status', () => client.Get({ id: `${name} c` }, (_error: unknown, { id }: Asked) => resolve(id)))
      })
    })
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => agent(name), {})))
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    expect(JSON.stringify(trace.steps.map(({ input }) => input)).match(/run \d \w/g)).toEqual(
      ['a', 'b', 'c'].map((part) => `${name} ${part}`),
    )
    await expectClean(trace, () => agent(name))
  }
  client.close()
})

it('reaches no server in a replay, over a channel that is open', async () => {
  await using server = await listenShop()
  const client = createShopClient(server.host)
  await getOrder(client, 'before')
  const agent = async (): Promise<unknown> => [await getOrder(client, 'one'), await talk(client, ['a'])]
  const { trace } = await recordRun(agent)
  const { calls } = server
  await expectClean(trace, agent)
  await expectClean(toGoldenTrace(trace), agent)
  expect(server.calls).toBe(calls)
  // The channel is as it was.
  expect(await getOrder(client, 'after')).toMatchObject({ id: 'after' })
  client.close()
})

const changes: readonly (readonly [string, (client: OrdersClient, word: string) => Promise<unknown>, string])[] = [
  ['the message of a call', (client, word) => getOrder(client, word), 'grpc shop.Orders/Get'],
  ['a message of a stream', (client, word) => talk(client, ['a', word, 'b']), 'grpc shop.Orders/Talk send'],
  ['the version in the metadata', (client, word) => getOrder(client, 'one', versioned(word)), 'grpc shop.Orders/Get'],
]

function versioned(version: string): Metadata {
  const metadata = new Metadata()
  metadata.set('shop-version', version)
  metadata.set('authorization', `Bearer ${Math.random()}`)
  return metadata
}

it.each(changes)('reports a change of %s', async (_what, way, name) => {
  await using server = await listenShop()
  const client = createShopClient(server.host)
  const { trace } = await recordRun(() => way(client, 'word'))
  const { calls } = server
  await expectClean(trace, () => way(client, 'word'))
  const run = await replay(trace, () => way(client, 'other').catch(() => 'caught'))
  const [first, ...others] = run.divergences
  expect(first).toMatchObject({ cause: 'input', name, consequence: false })
  expect(others.every(({ consequence }) => consequence)).toBe(true)
  expect([run.outcome.status, server.calls]).toEqual(['stopped', calls])
  client.close()
})

it('refuses a call that the trace does not have', async () => {
  await using server = await listenShop()
  const client = createShopClient(server.host)
  const { trace } = await recordRun(() => 'nothing')
  let caught: unknown
  const run = await replay(trace, () => getOrder(client, 'one').catch((error: unknown) => (caught = error)))
  expect(run.divergences).toMatchObject([{ cause: 'unexpected-call', name: 'grpc shop.Orders/Get' }])
  expect(server.calls).toBe(0)
  expect(caught).toMatchObject({ code: status.UNAVAILABLE, cause: expect.any(Error) as Error })
  client.close()
})

it('reports a message that is no longer sent, and a call that is no longer cancelled', async () => {
  await using server = await listenShop()
  const client = createShopClient(server.host)
  const { trace } = await recordRun(() => talk(client, ['a', 'b']))
  expect((await replay(trace, () => talk(client, ['a']))).divergences).not.toEqual([])
  const watch = (cancels: boolean) => (): Promise<unknown> =>
    new Promise((resolve) => {
      const stream = client.Watch({ id: 'endless', count: 1 })
      stream.on('data', () => cancels && stream.cancel()).on('error', ({ code }: ServiceError) => resolve(code))
    })
  const recorded = await recordRun(watch(true))
  await expectClean(recorded.trace, watch(true))
  expect((await replay(recorded.trace, watch(false))).divergences).not.toEqual([])
  client.close()
})

it('writes no secret to the disk', async () => {
  await using server = await listenShop()
  const client = createShopClient(server.host)
  const secret = 'sk-proj-Zx8Qm2Vt7Lk4Rw9Yb3Nc6Hd1Jf5Gp0Sa'
  const agent = async (): Promise<unknown> => {
    const answered = (await getOrder(client, secret)) as Asked
    const missing = await getOrder(client, 'missing').catch(({ details }: ServiceError) => details)
    return [answered.id?.length, missing, (await talk(client, ['a', secret])).length]
  }
  const { trace, text, output } = await recordRun(agent)
  expect(text).toContain('sk-')
  for (const part of [secret, Buffer.from(secret).toString('base64')]) expect(text.includes(part), part).toBe(false)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome.status]).toEqual([[], 'returned'])
  expect(output).toEqual([secret.length, 'no order missing', 3])
  client.close()
})

it('replays a channel over TLS', async () => {
  const server = await listenShop({ cert: Buffer.from(certificate), key: Buffer.from(privateKey) })
  const agent = async (): Promise<unknown> => {
    const given = credentials.createSsl(Buffer.from(certificate))
    const client = createShopClient(server.host.replace('127.0.0.1', 'localhost'), {}, given)
    const heard = [await getOrder(client, 'one'), await talk(client, ['a'])]
    client.close()
    return heard
  }
  const { trace, output } = await recordRun(agent)
  expect(rowsOf(trace, 'note')).toEqual([])
  server.stop()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays a host by its name, and waiting for a channel to be ready', async () => {
  const server = await listenShop()
  const agent = async (): Promise<unknown> => {
    const client = createShopClient(server.host.replace('127.0.0.1', 'localhost'))
    await promisify(client.waitForReady.bind(client))(Date.now() + 10_000)
    const heard = await getOrder(client, 'one')
    client.close()
    return heard
  }
  const { trace, output } = await recordRun(agent)
  expect([rowsOf(trace, 'note'), trace.steps.map(({ name }) => name)]).toEqual([[], ['grpc connect', 'grpc shop.Orders/Get']])
  server.stop()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays a client with interceptors, also one that calls again', async () => {
  const server = await listenShop()
  const adds = (options: InterceptorOptions, next: NextCall): InterceptingCall =>
    new InterceptingCall(next(options), {
      start(metadata, listener, go) {
        metadata.set('shop-version', '7')
        setTimeout(() => go(metadata, listener), 3)
      },
    })
  const agent = async (): Promise<unknown> => {
    const client = createShopClient(server.host, { interceptors: [adds] })
    const heard = [await getOrder(client, 'one'), await talk(client, ['a', 'b'])]
    client.close()
    return heard
  }
  const { trace, output } = await recordRun(agent)
  expect(rowsOf(trace, 'note')).toEqual([])
  server.stop()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('leaves telemetry out, and lets it reach nothing in a replay', async () => {
  await using server = await listenShop()
  const client = createShopClient(server.host)
  const agent = async (): Promise<unknown> => typeof (await getOrder(client, 'one'))
  const options = { recorder: { mute: [server.host] } }
  const { trace } = await recordRun(agent, options)
  expect([trace.steps, rowsOf(trace, 'note')]).toEqual([[], []])
  const { calls } = server
  const run = await replay(trace, agent, { mute: [server.host] })
  expect([run.divergences, run.outcome.status, server.calls]).toEqual([[], 'returned', calls])
  client.close()
})

it('is restored when the doors are shut', async () => {
  const release = installDoors()
  await using server = await listenShop()
  const client = createShopClient(server.host)
  expect(await getOrder(client, 'one')).toMatchObject({ id: 'one' })
  release()
  expect(await getOrder(client, 'two')).toMatchObject({ id: 'two' })
  client.close()
})
