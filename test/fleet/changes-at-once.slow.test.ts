import { expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { flagsOf } from './world/flags-at-once.ts'
import { openTwice, setUpBuckets } from '../support/changed-buckets.ts'

setUpBuckets()

it('removes the runs of two people, asked for by two processes at once', async () => {
  const { ids, one, other } = await openTwice(20)
  const [first, second] = [ids.filter((_, index) => index % 2 === 0), ids.filter((_, index) => index % 2 === 1)]
  const removed = await Promise.all([one.removeMany(first), other.removeMany(second)])
  expect(removed.map((some) => some.length)).toEqual([10, 10])
  expect(await createS3Store(one.place).list()).toEqual([])
  for (const id of ids) expect(await one.read(id)).toBe(undefined)
})

it('keeps a run that is flagged again and again, and leaves nothing of it once it is removed', async () => {
  const { ids, one } = await openTwice(3)
  const [id = ''] = ids
  for (const reason of ['one', 'two', 'three', 'four']) {
    expect(await one.flag(id, reason)).toBe(true)
    await one.compact('9')
  }
  expect(await flagsOf(createS3Store(one.place), id)).toEqual(['one', 'two', 'three', 'four'])
  expect((await one.list()).toSorted()).toEqual(ids.toSorted())
  expect(await one.removeMany(ids)).toEqual(ids)
  const left = [...(await one.idsOfHours(new Set(ids.map((each) => each.slice(0, 11)))))]
  expect(left).toEqual([])
})
