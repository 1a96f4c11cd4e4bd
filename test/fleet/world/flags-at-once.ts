import { expect } from 'vitest'
import { createS3Store } from '../../../src/fleet/create-s3-store.ts'
import type { ObjectStore } from '../../../src/fleet/object-store.ts'
import type { S3World } from './s3-world.ts'
import { type RunMaker, toStoredLog } from './synthetic-runs.ts'

/** A bucket, opened by two processes. */
export interface OpenedTwice {
  readonly ids: readonly string[]
  readonly one: ObjectStore
  readonly other: ObjectStore
}

let stores = 0

/** Opens a bucket with runs in one pack. */
export async function openBucketTwice(world: S3World, maker: RunMaker, runs: number): Promise<OpenedTwice> {
  const url = world.url.replace('/fleet', `/at-once-${(stores += 1)}`)
  const [one, other] = [createS3Store(url), createS3Store(url)]
  const made = Array.from({ length: runs }, (_, number) => maker.make(number))
  await Promise.all(made.map((run) => one.adopt(toStoredLog(run), run.summary)))
  await one.flush()
  return { ids: made.map(({ summary }) => summary.id), one, other }
}

/** The flags of a run, as an index has them. */
export async function flagsOf(store: ObjectStore, id: string): Promise<readonly string[]> {
  return (await store.find({})).runs.find((run) => run.id === id)?.flags ?? []
}

/** Flags the first run by both processes, and the others by one or the other, all at once. */
export async function expectFlagsKept({ ids, one, other }: OpenedTwice): Promise<void> {
  const [same = '', ...others] = ids
  const given = await Promise.all([
    one.flag(same, 'first'),
    other.flag(same, 'second'),
    ...others.map((id, index) => (index % 2 === 0 ? one : other).flag(id, 'each')),
  ])
  expect(given).toEqual(given.map(() => true))
  expect((await flagsOf(one, same)).toSorted()).toEqual(['first', 'second'])
  for (const id of others) expect(await flagsOf(other, id)).toEqual(['each'])
}
