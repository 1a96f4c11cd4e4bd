import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import type { ObjectStore } from '../../src/fleet/object-store.ts'
import { promotionMark, releaseMark } from '../../src/stores/promotion-marks.ts'
import { sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { createTieredStore } from '../../src/fleet/tiered-store.ts'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import { storeChecks, type Capability, type TraceStore } from '../../src/testing.ts'
import { expectPages } from './world/expect-pages.ts'
import { type S3World, startS3World } from './world/s3-world.ts'

let world: S3World
beforeAll(async () => {
  world = await startS3World()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
})

let stores = 0
const urls = new WeakMap<TraceStore, string>()
function openStore(url = world.url.replace('/fleet', `/fleet-${(stores += 1)}`)): ObjectStore {
  const store = createS3Store({ url, attempts: 2 })
  urls.set(store, url)
  return store
}

const capabilities: readonly Capability[] = [
  ...([
    'index',
    'locate',
    'find',
    'remove',
    'removeMany',
    'flag',
    'flush',
    'readStep',
    'readLog',
    'adopt',
    'lease',
    'discard',
    'reports',
  ] as const),
]
const heal = (): void => void (world.fault = () => undefined)

function openTiered(hot: TraceStore, cold: ObjectStore): TraceStore {
  const store = createTieredStore({ hot, cold, after: '72h' })
  tiers.set(store, { hot, cold })
  return store
}
const tiers = new WeakMap<TraceStore, { readonly hot: TraceStore; readonly cold: ObjectStore }>()
const directories: string[] = []

// Pages of a thousand: s3-pages.slow.test.ts.
it('lists more objects than a page has', async () => {
  world.pageSize = 10
  try {
    await expectPages(world, 35)
  } finally {
    world.pageSize = undefined
  }
})

describe('a bucket', () => {
  const checks = storeChecks({
    create: () => openStore(),
    capabilities,
    reopen: (store) => openStore(urls.get(store)),
    fail: () => (world.fault = ({ method }) => (method === 'PUT' ? 403 : undefined)),
    goDown: () => (world.fault = () => 'down'),
    requests: () => world.requests.length,
    manyRuns: 300,
    recodes: true,
  })
  it.each(checks)('passes: $name', async ({ run }) => {
    await expect(run()).resolves.toBe(undefined)
    heal()
  })
})

describe('a directory and a bucket', () => {
  const openDirectory = (): DirectoryStore => {
    directories.push(mkdtempSync(path.join(tmpdir(), 'goldenrun-tiered-')))
    return createDirectoryStore(path.join(directories.at(-1) ?? '', 'runs'))
  }
  const checks = storeChecks({
    create: () => openTiered(openDirectory(), openStore()),
    capabilities,
    reopen: (store) => {
      const { hot, cold } = tiers.get(store) ?? {}
      return openTiered(createDirectoryStore((hot as DirectoryStore).directory), openStore(urls.get(cold ?? store)))
    },
    manyRuns: 300,
  })
  it.each(checks)('passes: $name', async ({ run }) => {
    await expect(run()).resolves.toBe(undefined)
  })
})

/** Where a run's pack is: `runs/flagged`. */
function classesOf(id: string, prefix: string): string[] {
  const puts = world.requests.filter(({ method, key }) => method === 'PUT' && key.startsWith(prefix) && key.includes('/packs/'))
  return puts.filter(({ key }) => key.includes(id.slice(0, 11))).map(({ key }) => key.slice(prefix.length).split('/packs/')[0] ?? '')
}

it('keeps promoted runs where no lifecycle rule of another class removes them, also of a store that does not know the rules', async () => {
  const url = world.url.replace('/fleet', `/fleet-${(stores += 1)}`)
  const prefix = `fleet-${stores}/`
  const knowing = createS3Store({ url, attempts: 2, retention: { tags: { 'plan=free': '3d' }, successful: '14d' } })
  const runs = [sampleRun(1, { tags: { plan: 'free' } }), sampleRun(4000)]
  for (const run of runs) writeRun(knowing, run)
  await knowing.flush()
  const ids = runs.map(({ header }) => header.id)
  expect(ids.map((id) => classesOf(id, prefix))).toEqual([['runs/plan%3Dfree'], ['runs/successful']])
  const unknowing = openStore(url)
  for (const id of ids) await unknowing.flag(id, 'look')
  expect(ids.map((id) => classesOf(id, prefix).at(-1))).toEqual(['runs/plan%3Dfree', 'runs/flagged'])
  for (const id of ids) await unknowing.flag(id, promotionMark('shop/cancel'))
  expect(ids.map((id) => classesOf(id, prefix).at(-1))).toEqual(['runs/promoted', 'runs/promoted'])
  await knowing.flag(ids[1] ?? '', releaseMark('shop/cancel'))
  expect(classesOf(ids[1] ?? '', prefix).at(-1)).toBe('runs/flagged')
  expect((await openStore(url).find({})).runs.map(({ id }) => id)).toEqual(ids.toReversed())
})
