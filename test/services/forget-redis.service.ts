import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRedisStore } from '../../src/stores/redis.ts'
import { createRunMaker, toStoredLog } from '../fleet/world/synthetic-runs.ts'
import { runCommand } from '../support/run-command.ts'
import { type Service, startRedis } from '../support/services.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

let redis: Service
beforeAll(async () => {
  redis = await startRedis()
}, 120_000)
afterAll(() => redis[Symbol.asyncDispose]())

it("forgets one person's runs in Redis, and leaves the others", async () => {
  await using project = await createTemporaryDirectory()
  const url = `redis://127.0.0.1:${redis.port}`
  const store = createRedisStore(url)
  const maker = await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 20_000 })
  const runs = Array.from({ length: 6 }, (_, number) => maker.make(number))
  for (const [number, run] of runs.entries())
    await store.adopt(toStoredLog(run), { ...run.summary, tags: { person: number < 2 ? '7' : '8' } })
  const [first, second, ...others] = runs.map(({ summary }) => summary.id)
  const forget = ['forget', '--tag', 'person=7', '--store', url]

  const dry = await runCommand(project.path, [...forget, '--dry-run', '--json'])
  expect([dry.status, JSON.parse(dry.stdout)]).toMatchObject([
    0,
    { removed: false, recordings: [{ id: second, place: url }, { id: first }] },
  ])
  expect(await store.list()).toEqual([first, second, ...others])
  const done = await runCommand(project.path, [...forget, '--yes'])
  expect([done.status, done.stderr, done.stdout.split('\n').at(-2)]).toEqual([0, '', 'Removed 2 runs.'])
  expect([await store.list(), (await store.find({ tags: { person: '7' } })).runs]).toEqual([others, []])
  expect(await store.read(others[0] ?? '')).toMatchObject({ text: runs[2]?.lines })
  store.close()
})
