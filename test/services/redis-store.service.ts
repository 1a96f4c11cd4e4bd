import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createClient } from 'redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { createRedisStore, type RedisStore } from '../../src/stores/redis.ts'
import { idOf, sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { readRun } from '../../src/cli/read-run.ts'
import { toStore } from '../../src/stores/default-store.ts'
import { storeChecks, type Capability, type StoreFault, type TraceStore } from '../../src/testing.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { type Service, startRedis } from '../support/services.ts'

const warnings = collectWarnings()
let server: Service
let admin: Redis
let node: ReturnType<typeof createClient>
beforeAll(async () => {
  server = await startRedis()
  admin = new Redis(server.port, '127.0.0.1')
  node = createClient({ url: urlOf(server) })
  await node.connect()
})
afterAll(async () => {
  for (const { store } of opened) store.close()
  admin.disconnect()
  node.destroy()
  await server[Symbol.asyncDispose]()
})

const urlOf = ({ port }: Service): string => `redis://127.0.0.1:${port}`
const capabilities: readonly Capability[] = [
  ...(['index', 'locate', 'find', 'remove', 'removeMany', 'flag', 'flush', 'readLog', 'adopt', 'lease'] as const),
  ...(['reports', 'discard', 'abandon'] as const),
]
const opened: { readonly store: RedisStore; readonly prefix: string }[] = []
let prefixes = 0

function openStore(prefix = `test-${(prefixes += 1)}`, client?: Redis | typeof node): RedisStore {
  const where = client === undefined ? { url: urlOf(server) } : { client }
  const store = createRedisStore({ ...where, prefix, patienceMilliseconds: 200 })
  opened.push({ store, prefix })
  return store
}
const prefixOf = (store: TraceStore): string => opened.find((one) => one.store === store)?.prefix ?? ''

/** The commands that the server has done so far. */
const requests = async (): Promise<number> => Number(/total_commands_processed:(\d+)/.exec(await admin.info('stats'))?.[1])

describe('a store at a URL', { timeout: 300_000 }, () => {
  const checks = storeChecks({
    create: () => openStore(),
    capabilities,
    reopen: (store) => openStore(prefixOf(store)),
    requests,
    mostRequests: 12,
  })
  it.each(checks)('passes: $name', async ({ run }) => {
    await expect(run()).resolves.toBe(undefined)
  })
})

describe('a store with a client of the package redis', { timeout: 300_000 }, () => {
  const checks = storeChecks({
    create: () => openStore(undefined, node),
    capabilities,
    reopen: (store) => openStore(prefixOf(store), node),
    manyRuns: 100,
  })
  it.each(checks)('passes: $name', async ({ run }) => {
    await expect(run()).resolves.toBe(undefined)
  })
})

describe('a store whose server goes, or is full', { timeout: 300_000 }, () => {
  const servers = new Map<TraceStore, Service>()
  const create = async (): Promise<TraceStore> => {
    const own = await startRedis()
    const store = createRedisStore({ url: urlOf(own), answerMilliseconds: 2000, patienceMilliseconds: 200 })
    opened.push({ store, prefix: 'goldenrun' })
    servers.set(store, own)
    return store
  }
  afterAll(async () => {
    for (const own of servers.values()) await own[Symbol.asyncDispose]()
  })
  const checks = storeChecks({
    create,
    capabilities,
    goDown: (store) => servers.get(store)?.[Symbol.asyncDispose](),
    // A server that is full takes no writes.
    async fail(store) {
      const client = new Redis(servers.get(store)?.port ?? 0, '127.0.0.1')
      await client.config('SET', 'maxmemory', '1')
      client.disconnect()
    },
    manyRuns: 10,
  }).filter(({ name }) => name === 'answers in time while it is unreachable' || name.startsWith('reports'))
  it.each(checks)('passes: $name', async ({ run }) => {
    expect(checks).toHaveLength(2)
    await expect(run()).resolves.toBe(undefined)
  })
})

describe('a store whose connection misbehaves', { timeout: 60_000 }, () => {
  let fault: StoreFault | undefined
  let isDone = false
  const proxy = createServer((client) => {
    const redis = connect(server.port, '127.0.0.1')
    const end = (): void => [client, redis].forEach((socket) => socket.destroy())
    for (const socket of [client, redis]) socket.on('error', end).on('close', end)
    client.on('data', (bytes) => {
      if (fault === 'refuse') return end()
      if (fault === 'hang') return
      const isCut = fault === 'half write' && !isDone && bytes.includes('XADD')
      if (!isCut) return void redis.write(bytes)
      isDone = true
      redis.write(bytes.subarray(0, bytes.length >>> 1), end)
    })
    redis.on('data', (bytes) => {
      if (fault === 'slow') return void setTimeout(() => client.write(bytes), 50)
      if (fault !== 'lost answer' || isDone) return void client.write(bytes)
      isDone = true
      end()
    })
  })
  beforeAll(async () => void (await once(proxy.listen(0, '127.0.0.1'), 'listening')))
  afterAll(() => void proxy.close())
  const checks = storeChecks({
    create() {
      const url = `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      const store = createRedisStore({ url, prefix: `test-${(prefixes += 1)}`, answerMilliseconds: 500, patienceMilliseconds: 1000 })
      opened.push({ store, prefix: '' })
      return store
    },
    capabilities,
    misbehave: (_store, now) => void ([fault, isDone] = [now, false]),
    // One connection answers in order.
    faults: ['refuse', 'hang', 'half write', 'lost answer', 'slow'],
  }).filter(({ name }) => name.startsWith('loses no run unseen'))
  it.each(checks)('passes: $name', async ({ run }) => {
    expect(checks).toHaveLength(5)
    await expect(run()).resolves.toBe(undefined)
  })
})

it('records an agent that uses the same client, and none of its own commands', async () => {
  const store = openStore(undefined, admin)
  const recorder = createRecorder({ store })
  for (let count = 0; count < 3; count += 1)
    await recorder.run({ agent: 'support', input: count }, async () => {
      await admin.set('order', 'paid')
      await store.flush()
      return await admin.get('order')
    })
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 3, failed: 0 })
  for (const id of await store.list())
    expect((await readRun(id, store)).steps.map(({ name }) => name)).toEqual(['ioredis SET', 'ioredis GET'])
})

it('records to a URL, and is read by it', async () => {
  const url = `${urlOf(server)}/1`
  const recorder = createRecorder({ store: url })
  expect(await recorder.run({ agent: 'support', input: 1, tags: { user: '42' } }, async () => 'done')).toBe('done')
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 1, failed: 0, unindexed: 0 })
  const { store, place } = toStore(url)
  expect(place).toBe(url)
  const found = await store.find?.({ tags: { user: '42' } })
  expect(found?.runs.map(({ agent, status, file }) => [agent, status, file])).toEqual([
    ['support', 'returned', `${url}#${found?.runs[0]?.id}`],
  ])
  expect((await readRun('latest', url)).end?.output).toBe('done')
  // A span's capture_uri.
  expect((await readRun(found?.runs[0]?.file ?? '', url)).header.id).toBe(found?.runs[0]?.id)
})

it('counts the runs that a server that is gone did not take, once, and lets the agents go on', async () => {
  const own = await startRedis()
  const url = `redis://user:hunter2@127.0.0.1:${own.port}`
  await own[Symbol.asyncDispose]()
  const store = createRedisStore({ url, answerMilliseconds: 500, patienceMilliseconds: 100 })
  const recorder = createRecorder({ store })
  for (const input of [1, 2]) expect(await recorder.run({ agent: 'support', input }, async () => input)).toBe(input)
  await recorder.close()
  store.close()
  expect(recorder.stats()).toMatchObject({ begun: 2, recorded: 0, failed: 2, lost: 0 })
  await vi.waitFor(() => expect(warnings.filter((warning) => warning.includes('could not keep the recording <id>'))).toHaveLength(1))
  expect(warnings.join('\n')).not.toContain('hunter2')
})

it('says which Redis failed, why, and what to check', async () => {
  const own = await startRedis()
  const gone = `redis://user:hunter2@127.0.0.1:${own.port}`
  await own[Symbol.asyncDispose]()
  const shown = `redis://user:***@127.0.0.1:${own.port}`
  const store = createRedisStore(gone)
  await expect(store.list()).rejects.toMatchObject({
    code: 'GOLDENRUN_STORAGE',
    message: `${shown}: connect ECONNREFUSED 127.0.0.1:${own.port}. Check that the server is running and that the URL is right.`,
  })
  store.close()
  const wrong = createRedisStore(urlOf(server).replace('redis://', 'redis://nobody:hunter2@'))
  await expect(wrong.list()).rejects.toThrow(
    /^redis:\/\/nobody:\*\*\*@127\.0\.0\.1:\d+\S*: WRONGPASS .*\. Check the user and the password in its URL\.$/,
  )
  wrong.close()
})

it('gives each finished log to one archiver, and what a dead one left to the next', async () => {
  const store = openStore()
  for (const second of [1, 2, 3, 4]) writeRun(store, sampleRun(second, { tags: { user: '42' } }))
  const first = await store.takeFinished('first', { limit: 2, idleMilliseconds: 60_000 })
  const second = await store.takeFinished('second', { limit: 10, idleMilliseconds: 60_000 })
  const ids = [...first, ...second].map(({ log }) => log.id)
  expect(ids.toSorted()).toEqual([1, 2, 3, 4].map(idOf))
  expect(first[0]?.summary).toMatchObject({ status: 'returned', tags: { user: '42' }, steps: 2 })
  await store.confirmArchived(second.map(({ log }) => log.id))
  const left = await store.takeFinished('third', { limit: 10, idleMilliseconds: 0 })
  expect(left.map(({ log }) => log.id)).toEqual(first.map(({ log }) => log.id))
  const bytes = await Promise.all(left.map(({ log }) => log.bytes()))
  expect(bytes.map(({ length }) => length)).toEqual(left.map(({ log }) => log.size))
  await store.confirmArchived(left.map(({ log }) => log.id))
  expect([await store.list(), (await store.find({})).runs]).toEqual([[], []])
})

it('keeps a long log in pieces, and what was flushed of a run whose process died', async () => {
  const store = openStore()
  const { header } = sampleRun(1)
  const random = Array.from({ length: 40 }, (_, index) =>
    Buffer.alloc(75_000, `${index}`).map((_byte, at) => (at * 7919 + index * 104_729) % 251),
  )
  const writer = store.open({ ...header, input: undefined })
  writer.write(header)
  for (const [index, bytes] of random.entries()) {
    writer.write({ kind: 'checkpoint', owner: 0, name: `part ${index}`, state: bytes, at: 1 })
    writer.flush()
  }
  const other = openStore(prefixOf(store))
  await store.flush()
  const inFlight = await other.readLog(header.id)
  writer.close()
  await store.flush()
  const log = await other.readLog(header.id)
  const pieces: Uint8Array[] = []
  for await (const piece of log?.stream() ?? []) pieces.push(piece)
  expect(inFlight?.size).toBe(log?.size)
  expect(Buffer.concat(pieces).equals(Buffer.from((await log?.bytes()) ?? []))).toBe(true)
  expect((await other.read(header.id))?.text.match(/"kind":"checkpoint"/g)).toHaveLength(40)
})

it('leaves nothing of a run that it had sent and that is discarded', async () => {
  const store = openStore()
  const { header, rows } = sampleRun(1)
  const writer = store.open({ ...header, input: undefined })
  for (const row of [header, ...rows.slice(0, -1)]) writer.write(row)
  writer.flush()
  await store.flush()
  expect(await store.list()).toEqual([header.id])
  writer.discard?.()
  await store.flush()
  expect(await openStore(prefixOf(store)).list()).toEqual([])
  expect((await admin.keys(`*${prefixOf(store)}*`)).filter((key) => key.includes(header.id))).toEqual([])
})
