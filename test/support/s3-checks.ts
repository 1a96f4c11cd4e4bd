import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import type { ObjectStore } from '../../src/fleet/object-store.ts'
import { createTieredStore } from '../../src/fleet/tiered-store.ts'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import { storeChecks, type Capability, type StoreCheck, type StoreFault, type TraceStore } from '../../src/testing.ts'
import { type Fault, type S3World, startS3World } from '../fleet/world/s3-world.ts'

/** The storage. */
export let world: S3World
let stores = 0

/** The URL of an empty bucket, and what its keys begin with. */
export function newBucket(): { readonly url: string; readonly prefix: string } {
  stores += 1
  return { url: world.url.replace('/fleet', `/fleet-${stores}`), prefix: `fleet-${stores}/` }
}

const urls = new WeakMap<TraceStore, string>()
/** Opens a bucket; an empty one if none is named. */
export function openStore(url: string = newBucket().url): ObjectStore {
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
    'abandon',
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

/** Checks of a bucket that take longer than others, and whose like others check. */
const slowOfBucket = [
  'finds runs by the fields of their summaries',
  'finds runs of several statuses',
  'adopts a finished log',
  'flags a recording',
  'removes a recording and nothing else',
  'lists and finds among',
  'draws samples',
  'keeps the runs that two instances write at the same time',
  'loses no run unseen: hang',
]

/** Whether a check of a bucket takes long. */
export const isSlowOfBucket = ({ name }: StoreCheck): boolean => slowOfBucket.some((start) => name.startsWith(start))

/** Checks of both tiers together. */
const quickOfTiers = [
  'can do what it says',
  'has nothing',
  'keeps every row',
  'finds runs by the fields of their summaries',
  'adopts a finished log',
  'flags a recording',
  'removes several',
  'lists its recordings',
  'says where a recording lies',
  'gives a step alone',
]

/** Whether a check of the tiers is tried each time. */
export const isQuickOfTiers = ({ name }: StoreCheck): boolean => quickOfTiers.some((start) => name.startsWith(start))

const faults: Readonly<Record<StoreFault, Fault>> = {
  refuse: 403,
  hang: 'slow',
  'half write': 'half write',
  'lost answer': 'lost answer',
  slow: 'late',
  'wrong order': 'late',
}

/** Half a write and a lost answer are what the first request for an object comes to; it is repeated. */
function faultOf(fault: StoreFault | undefined): S3World['fault'] {
  const seen = new Set<string>()
  return ({ method, key }) => {
    const isPassing = fault === 'half write' || fault === 'lost answer'
    if (fault === undefined || (isPassing && (method !== 'PUT' || seen.has(key)))) return undefined
    seen.add(key)
    return faults[fault]
  }
}

/** Tests what a store has to do of a bucket. */
export function testBucket(isTried: (check: StoreCheck) => boolean): void {
  describe('a bucket', () => {
    const checks = storeChecks({
      create: () => openStore(),
      capabilities,
      reopen: (store) => openStore(urls.get(store)),
      fail: () => (world.fault = ({ method }) => (method === 'PUT' ? 403 : undefined)),
      goDown: () => (world.fault = () => 'down'),
      misbehave: (_store, fault) => (world.fault = faultOf(fault)),
      requests: () => world.requests.length,
      manyRuns: 300,
      recodes: true,
    })
    it.each(checks.filter(isTried))('passes: $name', async ({ run }) => {
      await expect(run()).resolves.toBe(undefined)
      heal()
    })
  })
}

/** Tests it of a directory before a bucket. */
export function testTiers(isTried: (check: StoreCheck) => boolean): void {
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
    it.each(checks.filter(isTried))('passes: $name', async ({ run }) => {
      await expect(run()).resolves.toBe(undefined)
    })
  })
}

/** Starts the storage for the tests of a file, and ends it after them. */
export function setUpS3(): void {
  beforeAll(async () => {
    world = await startS3World()
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  })
}
