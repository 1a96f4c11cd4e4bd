import { expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { promotionMark, releaseMark } from '../../src/stores/promotion-marks.ts'
import { sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { isQuickOfTiers, isSlowOfBucket, newBucket, openStore, setUpS3, testBucket, testTiers, world } from '../support/s3-checks.ts'
import { expectPages } from './world/expect-pages.ts'

setUpS3()

// Pages of a thousand: s3-pages.slow.test.ts.
it('lists more objects than a page has', async () => {
  world.pageSize = 10
  try {
    await expectPages(world, 35)
  } finally {
    world.pageSize = undefined
  }
})

// The other checks: s3-store.slow.test.ts.
testBucket((check) => !isSlowOfBucket(check))
testTiers(isQuickOfTiers)

/** Where a run's pack is: `runs/flagged`. */
function classesOf(id: string, prefix: string): string[] {
  const puts = world.requests.filter(({ method, key }) => method === 'PUT' && key.startsWith(prefix) && key.includes('/packs/'))
  return puts.filter(({ key }) => key.includes(id.slice(0, 11))).map(({ key }) => key.slice(prefix.length).split('/packs/')[0] ?? '')
}

it('keeps promoted runs where no lifecycle rule of another class removes them, also of a store that does not know the rules', async () => {
  const { url, prefix } = newBucket()
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
