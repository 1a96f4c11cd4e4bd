import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { startRetention } from '../../src/record/retention/retention-timer.ts'
import { RunCounts } from '../../src/record/run-counts.ts'
import { emptyRun, idOf, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { selectIds } from '../../src/stores/list-ids.ts'
import { maskUrl } from '../../src/stores/mask-url.ts'
import { underLease } from '../../src/stores/under-lease.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createRandom } from '../support/random.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const warnings = collectWarnings()

it('selects ids as sorting all of them would', () => {
  const seed = String(Date.now())
  const random = createRandom(seed)
  for (let round = 0; round < 200; round += 1) {
    const ids = Array.from({ length: random.whole(0, 39) }, () => String(random.whole(0, 59)).padStart(2, '0'))
    const [prefix, limit] = [['', '0', '1', '4'][random.whole(0, 3)] ?? '', random.whole(0, 11)]
    const sorted = [...new Set(ids)].filter((id) => id.startsWith(prefix)).toSorted()
    expect(selectIds(ids, { prefix, limit }), `seed ${seed}`).toEqual(sorted.slice(0, limit))
    expect(selectIds(ids, { prefix, newest: true, limit }), `seed ${seed}`).toEqual(sorted.toReversed().slice(0, limit))
    expect(selectIds(ids, {}), `seed ${seed}`).toEqual([...new Set(ids)].toSorted())
  }
})

it('takes over a lease once its time is over', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const lease = (milliseconds: number): Promise<unknown> => createDirectoryStore(directory).lease('retention', milliseconds)
  expect(await lease(1)).not.toBe(undefined)
  await sleep(10)
  expect(await lease(3_600_000)).not.toBe(undefined)
  expect(await lease(3_600_000)).toBe(undefined)
  // One file, whoever held it before.
  expect(readdirSync(`${directory}/leases/retention`)).toEqual(['2'])
})

it('does retention in one process at a time', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const store = createDirectoryStore('runs')
  for (const second of [1, 2]) writeRun(store, emptyRun(second))
  await store.flush()
  const other = await store.lease('retention', 3_600_000)
  const timer = startRetention('test', { successful: '0ms' }, store)
  expect([await timer?.pass(), await store.list()]).toEqual([0, [1, 2].map(idOf)])
  await other?.release()
  expect([await timer?.pass(), await store.list()]).toEqual([2, []])
  // A released lease has to be granted.
  expect(await underLease(store, 'retention', async () => 'done')).toEqual({ result: 'done' })
  timer?.close()
})

it('counts runs that the index lacks, each once, and says so once', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  mkdirSync(directory)
  writeFileSync(`${directory}/index`, 'no directory')
  for (const thread of [true, false]) {
    const recorder = createRecorder({ store: directory, thread, limits: { closeMilliseconds: 60_000 } })
    await recorder.start()
    for (const input of [1, 2, 3]) await recorder.run({ agent: 'support', input }, async () => input)
    await recorder.close()
    expect(recorder.stats(), String(thread)).toMatchObject({ begun: 3, recorded: 3, failed: 0, unindexed: 3 })
  }
  await vi.waitFor(() => expect(warnings.filter((warning) => warning.includes('could not index the recording <id>'))).toHaveLength(2))
})

it('counts a run once, in whatever order a store reports it', () => {
  const counts = new RunCounts()
  counts.writes()
  expect([counts.loses('early'), counts.loses('early')]).toEqual([true, false])
  counts.written('recorded', 'early')
  counts.writes()
  counts.written('recorded', 'late')
  counts.loses('late')
  counts.writes()
  counts.written('failed', 'known')
  expect(counts.loses('known')).toBe(false)
  expect(counts.read()).toMatchObject({ recorded: 0, failed: 3, writing: 0 })
})

it.each([
  ['redis://user:hunter2@host:6379/0', 'redis://user:***@host:6379/0'],
  ['redis://:hunter2@host', 'redis://:***@host'],
  ['s3://bucket/prefix?secretAccessKey=hunter2&region=eu', 's3://bucket/prefix?secretAccessKey=***&region=eu'],
  ['redis://user:hunter2@host:notaport/0', 'redis://***@host:notaport/0'],
  ['redis://host', 'redis://host'],
])('masks secrets of a URL: %s', (url, masked) => {
  expect(maskUrl(url)).toBe(masked)
})
