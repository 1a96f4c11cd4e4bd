import { expect, it } from 'vitest'
import { requestsOfHour } from '../../src/fleet/bucket-costs.ts'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { Shipper } from '../../src/fleet/shipper.ts'
import { startS3World } from '../fleet/world/s3-world.ts'
import { createRunMaker } from '../fleet/world/synthetic-runs.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { costsOf, COUNT, fill, HOUR, start } from './costs-of-runs.ts'

it('computes what a real bucket takes', async () => {
  await using world = await startS3World()
  await using project = await createTemporaryDirectory()
  await using other = await createTemporaryDirectory()
  const maker = await createRunMaker({ start, every: HOUR / COUNT })
  await fill(maker, project, COUNT, 2 * COUNT)
  const { runs, packBytes, indexBytes, groups } = await costsOf(project, '--runs-per-day', String(COUNT * 24))
  expect(runs).toBe(COUNT)
  // The hour before, then the same runs as were measured: sizes and requests as the storage saw them.
  const bucket = createS3Store(world.url)
  await new Shipper(await fill(maker, other, 0, COUNT), bucket).ship()
  await bucket.compact('9')
  const before = world.requests.length
  await new Shipper(await fill(maker, other, COUNT, 2 * COUNT), bucket).ship()
  await bucket.compact('9')
  const seen = world.requests.slice(before)
  const sizeOf = (keys: RegExp): number =>
    seen.filter(({ method, key }) => method === 'PUT' && keys.test(key)).reduce((sum, { bytes }) => sum + bytes, 0)
  expect(packBytes / sizeOf(/\.pack$/)).toBeCloseTo(1, 1)
  expect(indexBytes / sizeOf(/\/hour-[^/]+\.(?:parquet|terms)$/)).toBeCloseTo(1, 1)
  const { writes, reads } = requestsOfHour(groups, 1, 1)
  expect(seen.filter(({ method, key }) => method === 'GET' && /\.(?:pack|parquet)$/.test(key))).toHaveLength(reads)
  const written = seen.filter(({ method, key }) => (method === 'PUT' && !key.includes('/dictionaries/')) || key === '').length
  expect(Math.abs(written - writes)).toBeLessThanOrEqual(2)
})
