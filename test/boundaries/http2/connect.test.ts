import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, startRecorder } from '../../support/record-run.ts'
import { expectClean, toGoldenTrace } from '../../support/replay-clean.ts'
import { createConnectShop, type ConnectShop, type ShopMessage } from './connect-client.ts'
import { all, expectReplays, print, read, seen, ways } from './connect-ways.ts'
import { listenShop } from './shop-server.ts'

// All, compressed too, and twenty times each: connect.slow.test.ts.
it.each(ways)('replays %s of a client of Connect with the server gone', async (_form, way, steps) => {
  await expectReplays(way, steps, { compresses: false, times: 1 })
})

it.each(ways.filter((_, index) => index % 6 === 0))(
  'replays %s, compressed, of a client of Connect with the server gone',
  async (_form, way, steps) => {
    await expectReplays(way, steps, { compresses: true, times: 1 })
  },
)

it('keeps eight runs of a shared client of Connect apart', async () => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  await shop.get({ id: 'before' })
  const agent = async (name: string): Promise<unknown> => [
    (await shop.get({ id: `${name} a` })).id,
    await read(shop.watch({ id: `${name} b`, count: 2 })),
    await read(shop.talk(all([{ id: `${name} c` }, { id: `${name} d` }]))),
  ]
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => agent(name), {})))
  const { calls } = server
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    const said = JSON.stringify(trace.steps.map(({ input }) => input)).match(/run \d \w/g)
    expect(said).toEqual(['a', 'b', 'c', 'd'].map((part) => `${name} ${part}`))
    await expectClean(trace, () => agent(name))
    await expectClean(toGoldenTrace(trace), () => agent(name))
  }
  expect(server.calls).toBe(calls)
})

it.each<readonly [string, (shop: ConnectShop, word: string) => Promise<unknown>, string]>([
  ['the message of a call', (shop, word) => shop.get({ id: word }), 'grpc shop.Orders/Get'],
  ['a message of a stream', (shop, word) => read(shop.talk(all([{ id: 'a' }, { id: word }]))), 'grpc shop.Orders/Talk send'],
  ['the version in the headers', (shop, word) => shop.get({ id: 'a' }, { headers: { 'shop-version': word } }), 'grpc shop.Orders/Get'],
])('reports a change of %s of a client of Connect', async (_what, way, name) => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  const { trace } = await recordRun(() => way(shop, 'word'))
  const { calls } = server
  await expectClean(trace, () => way(shop, 'word'))
  const run = await replay(trace, () => way(shop, 'other').catch(() => 'caught'))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', name, consequence: false })
  expect([run.outcome.status, server.calls]).toEqual(['stopped', calls])
})

it('reports a message of a client of Connect that is no longer sent, and a call that is no longer left', async () => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  const words = [{ id: 'a' }, { id: 'b' }]
  const { trace } = await recordRun(() => read(shop.talk(all(words))))
  expect((await replay(trace, () => read(shop.talk(all(words.slice(1)))))).divergences).not.toEqual([])
  expect((await replay(trace, () => read(shop.talk(all([...words, { id: 'c' }]))))).divergences).not.toEqual([])
  const watch = (most: number) => async (): Promise<unknown> => {
    const ids: unknown[] = []
    for await (const { id } of shop.watch({ id: 'endless', count: 2 })) if (ids.push(id) === most) break
    return ids
  }
  const left = await recordRun(watch(1))
  expect((await replay(left.trace, watch(2))).divergences).not.toEqual([])
})

it('writes no secret of a client of Connect to the disk', async () => {
  await using server = await listenShop()
  const secret = 'sk-proj-Zx8Qm2Vt7Lk4Rw9Yb3Nc6Hd1Jf5Gp0Sa'
  const shop = createConnectShop(`http://${server.host}`, { compresses: true })
  const agent = async (): Promise<unknown> => {
    const answered = await shop.get({ id: secret }, { headers: { 'x-access-token': secret } })
    return [answered.id?.length, await shop.get({ id: 'missing' }).catch(seen)]
  }
  const { trace, text } = await recordRun(agent)
  expect(text).toContain('sk-')
  for (const part of [secret, Buffer.from(secret).toString('base64')]) expect(text.includes(part), part).toBe(false)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome.status]).toEqual([[], 'returned'])
})

it('refuses a call of a client of Connect that the trace does not have, also over a session that is open', async () => {
  await using server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  await shop.get({ id: 'before' })
  const { calls } = server
  const { trace } = await recordRun(() => 'nothing')
  const run = await replay(trace, () => shop.get({ id: 'one' }).catch(() => 'caught'))
  expect(run.divergences).toMatchObject([{ cause: 'unexpected-call', name: 'grpc shop.Orders/Get' }])
  expect(server.calls).toBe(calls)
})

it('replays a call that is left before its message was sent', async () => {
  const server = await listenShop()
  const shop = createConnectShop(`http://${server.host}`)
  const agent = async (): Promise<unknown> => {
    const controller = new AbortController()
    const later = async function* (): AsyncGenerator<ShopMessage> {
      await new Promise((resolve) => setTimeout(resolve, 40))
      yield { id: 'late' }
    }
    setTimeout(() => controller.abort(), 20)
    return await shop.sum(later(), { signal: controller.signal }).catch(seen)
  }
  const { output, trace } = await recordRun(agent)
  expect(trace.steps.map(({ name, input }) => print(name, input))).toEqual(['Sum({"unsent":true})', 'Sum cancel([])'])
  await expectClean(trace, agent)
  // Nothing is known of a message that was not sent in the recording.
  const early = async (): Promise<unknown> => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    return await shop.sum(all([{ id: 'early' }]), { signal: controller.signal }).catch(seen)
  }
  server.stop()
  expect((await replay(trace, early)).outcome).toEqual({ status: 'returned', output })
})
