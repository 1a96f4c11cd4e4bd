import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { createTieredStore } from '../../src/fleet/tiered-store.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createRedisStore } from '../../src/stores/redis/redis-store.ts'
import type { TraceStore } from '../../src/stores/trace-store.ts'
import type { S3World } from '../fleet/world/s3-world.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { bucketFault } from './faulty-bucket.ts'
import type { Fault } from './fault-kinds.ts'
import { type FaultyRedis, startFaultyRedis } from './faulty-redis.ts'

/** An empty store whose server or disk can be made to fail, seen from another process than the one that records. */
export interface FaultyStore extends AsyncDisposable {
  /** The arguments of `load-program.ts`. */
  readonly args: readonly string[]
  /** Node's options for it. */
  readonly options: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Begins a fault. @param fault Default: ends every fault. */
  set(fault: Fault | undefined): void | Promise<void>
  /** Opens the store as another process does, past what fails. */
  open(): OpenedStore
}

/** A store, and the function that closes its connections. */
export interface OpenedStore extends Disposable {
  readonly store: TraceStore
}

/** The name of a kind of store. */
export type StoreName = 'a directory' | 'a bucket' | 'Redis' | 'two tiers'

/** The kinds of stores. */
export const STORES: readonly StoreName[] = ['a directory', 'a bucket', 'Redis', 'two tiers']

let buckets = 0

/** Makes an empty store. @param world Where buckets are. */
export async function createFaultyStore(name: StoreName, world: S3World): Promise<FaultyStore> {
  if (name === 'a directory') return createFaultyDirectory()
  buckets += 1
  const bucket = world.url.replace('/fleet', `/faults-${buckets}`)
  if (name === 'a bucket') return createFaultyBucket(world, bucket)
  const redis = await startFaultyRedis()
  return name === 'Redis' ? ofRedis(redis) : ofTiers(redis, world, bucket)
}

async function createFaultyDirectory(): Promise<FaultyStore> {
  const directory = await createTemporaryDirectory()
  const runs = directory.resolve('runs')
  const away = `${runs}-away`
  return {
    args: [runs],
    options: ['--import', new URL('disk-faults.ts', import.meta.url).href],
    env: { FAULTY_DISK: runs },
    set(fault) {
      if (fault === 'gone') {
        renameSync(runs, away)
        writeFileSync(runs, 'no directory')
      } else if (fault === undefined && existsSync(away)) {
        rmSync(runs)
        renameSync(away, runs)
      }
      if (fault === undefined) rmSync(`${runs}.fault`, { force: true })
      else writeFileSync(`${runs}.fault`, fault)
    },
    open: () => ({ store: createDirectoryStore(runs), [Symbol.dispose]: () => undefined }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

/** Its credentials are in the environment. */
function createFaultyBucket(world: S3World, url: string): FaultyStore {
  return {
    args: [url],
    options: [],
    env: {},
    set: (fault) => void (world.fault = bucketFault(fault)),
    open: () => ({ store: createS3Store(url), [Symbol.dispose]: () => undefined }),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

function ofRedis(redis: FaultyRedis): FaultyStore {
  return {
    args: [redis.url],
    options: [],
    env: {},
    set: (fault) => redis.set(fault),
    open() {
      const store = createRedisStore(redis.direct)
      return { store, [Symbol.dispose]: () => store.close() }
    },
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  }
}

/** Redis before a bucket: both fail at once. */
function ofTiers(redis: FaultyRedis, world: S3World, bucket: string): FaultyStore {
  const [hot, cold] = [ofRedis(redis), createFaultyBucket(world, bucket)]
  return {
    ...hot,
    args: [...hot.args, ...cold.args],
    async set(fault) {
      await cold.set(fault)
      await hot.set(fault)
    },
    open() {
      const opened = hot.open()
      const store = createTieredStore({ hot: opened.store, cold: cold.open().store, after: '1h' })
      return { store, [Symbol.dispose]: () => opened[Symbol.dispose]() }
    },
  }
}

/** The program that records. */
export const loadProgram: string = fileURLToPath(new URL('load-program.ts', import.meta.url))
