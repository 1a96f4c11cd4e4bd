import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRedisStore } from '../../src/stores/redis.ts'
import { LONGEST_PIECE } from '../../src/stores/redis/redis-outbox.ts'
import { record } from '../support/recordings.ts'
import { createRandom } from '../support/random.ts'
import { runCommand } from '../support/run-command.ts'
import { type Service, startRedis } from '../support/services.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const rules = "redact: { rules: [{ name: 'people', pattern: /\\bAda L\\w{7}/ }] }"

let redis: Service
beforeAll(async () => {
  redis = await startRedis()
}, 120_000)
afterAll(() => redis[Symbol.asyncDispose]())

/** All that Redis has, as text. Logs are compressed, so they are read by the store. */
async function keptText(client: Redis): Promise<string> {
  const texts: string[] = []
  for (const key of await client.keys('*')) {
    const type = await client.type(key)
    if (type === 'hash') texts.push(JSON.stringify(await client.hgetall(key)))
    else if (type === 'zset') texts.push(JSON.stringify(await client.zrange(key, 0, '-1')), key)
    else texts.push(key)
  }
  return texts.join('\n')
}

it('redacts recordings in Redis again, short and in pieces, with their index', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const url = `redis://127.0.0.1:${redis.port}`
  const store = createRedisStore(url)
  const { next } = createRandom('scrub')
  // Longer than a piece, and not to be compressed.
  const noise = Array.from({ length: LONGEST_PIECE }, () => String.fromCodePoint(0x4e00 + Math.floor(next() * 20_000))).join('')
  const ids = [
    await record(store, { input: { customer: 'Ada Lovelace' }, tags: { person: 'Ada Lovelace' } }, () => 'Dear Ada Lovelace'),
    await record(store, { input: { customer: 'Ada Lovelace', noise } }, () => 'long'),
    await record(store, { input: { customer: 'Grace Hopper' } }, () => 'other'),
  ]
  await store.flush()
  await store.flag(ids[0] ?? '', 'Ada Lovelace complained')
  const client = new Redis(redis.port, '127.0.0.1')
  const other = (await store.read(ids[2] ?? ''))?.text
  const last = await client.hget('{goldenrun}:entries', ids[2] ?? '')
  expect(await client.exists(`{goldenrun}:pieces:${ids[1]}`)).toBe(1)
  // A killed command has left this.
  await client.rpush(`{goldenrun}:pieces:${ids[1]}~new`, 'half')
  await project.write('goldenrun.config.mjs', `export default { ${rules} }`)

  const { status, stdout, stderr } = await runCommand(project.path, ['scrub', url, '--rule', 'people', '--yes'])
  expect(stderr).toBe('')
  expect(stdout).toContain('Scrubbed 2 recordings. 3 recordings searched.')
  expect(stdout).toContain(
    `Flags stay, and the rules find something in the reasons of these runs: ${ids[0]}. Forget a run to remove its flags.`,
  )
  expect(status).toBe(1)

  expect(await store.list()).toEqual(ids)
  for (const id of ids.slice(0, 2)) expect((await store.read(id))?.text).not.toContain('Lovelace')
  expect((await store.read(ids[1] ?? ''))?.text).toContain(noise.slice(0, 1000))
  expect([(await store.read(ids[2] ?? ''))?.text, await client.hget('{goldenrun}:entries', ids[2] ?? '')]).toEqual([other, last])
  expect((await keptText(client)).match(/.{20}Lovelace.{11}/g)).toEqual([expect.stringContaining('complained')])
  // The old entries are gone, and archivers get the new ones.
  expect(await client.xlen('{goldenrun}:logs')).toBe(3)
  const finished = await store.takeFinished('archiver', { limit: 10, idleMilliseconds: 1000 })
  expect(finished.map(({ log }) => log.id).toSorted()).toEqual(ids)
  client.disconnect()
  store.close()
})
