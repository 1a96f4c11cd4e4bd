import { afterAll, beforeAll, expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { requestsOfHour } from '../../src/fleet/bucket-costs.ts'
import { Shipper } from '../../src/fleet/shipper.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { type S3World, startS3World } from '../fleet/world/s3-world.ts'
import { createRunMaker, type RunMaker, toStoredLog } from '../fleet/world/synthetic-runs.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { costsOf, COUNT, fill, HOUR, prices, start } from './costs-of-runs.ts'

let world: S3World
let maker: RunMaker
let project: TemporaryDirectory
beforeAll(async () => {
  world = await startS3World()
  maker = await createRunMaker({ start, every: HOUR / COUNT })
  project = await createTemporaryDirectory()
  await fill(maker, project, COUNT, COUNT + 100)
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await project[Symbol.asyncDispose]()
})

it('multiplies sizes and requests by the prices that it is given', { timeout: 120_000 }, async () => {
  const { runs, packBytes, indexBytes, costs: lines } = await costsOf(project, '--runs-per-day', '240000', '--days', '10')
  const gigabytes = (((packBytes + indexBytes) / runs) * 2_400_000) / 1e9
  const [storage, writes, reads] = lines
  expect(storage).toMatchObject({ item: 'storage', amount: expect.closeTo(gigabytes, 6), cost: expect.closeTo(gigabytes * 0.5, 6) })
  // 10,000 runs an hour are 100 packs and some more that are not full, each written once and read once, in 720 hours.
  expect(reads?.amount).toBeGreaterThan(720 * 100)
  expect(reads?.amount).toBeLessThan(720 * (100 + 4 + 120))
  expect(reads?.cost).toBeCloseTo(((reads?.amount ?? 0) / 1000) * 3, 6)
  expect(writes?.cost).toBeCloseTo(((writes?.amount ?? 0) / 1000) * 2, 6)
})

// What a real bucket takes: costs.slow.test.ts.
it('computes the same from a bucket as from a directory', { timeout: 120_000 }, async () => {
  const url = world.url.replace('/fleet', '/same')
  const directory = await createTemporaryDirectory()
  const made = await fill(maker, directory, 0, 24)
  const options = ['--runs-per-day', '2400', ...prices, '--json']
  const local = await runCommand(directory.path, ['costs', ...options])
  await new Shipper(made, createS3Store(url)).ship()
  expect(await runCommand(directory.path, ['costs', ...options, '--store', url])).toEqual(local)
  await directory[Symbol.asyncDispose]()
})

it('counts packs of each machine: of few runs, each has a pack of its own', () => {
  const groups = [{ className: 'successful', runs: 250 }]
  const one = requestsOfHour(groups, 60, 1)
  const ten = requestsOfHour(groups, 60, 10)
  expect([one.reads, ten.reads]).toEqual([3 + 3, 10 + 10])
})

it('prints a table, and says what is not in it', { timeout: 120_000 }, async () => {
  const few = await createTemporaryDirectory()
  const store = createDirectoryStore(few.resolve('.goldenrun/runs'))
  for (const run of [maker.make(0), maker.make(1)]) await store.adopt(toStoredLog(run), run.summary)
  await store.flush()
  const { status, stdout, stderr } = await runCommand(few.path, ['costs', ...prices, '--runs-per-day', '1400000'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout.replaceAll(/[\d.,]+/g, '#').replaceAll(/ +/g, ' ')).toBe(
    [
      '# recordings of #goldenrun/runs# packed: # kB a run# and # kB in the index (# kB as JSON lines)#',
      'From # recordings of a version of an agent on# a dictionary makes them smaller# Here# some versions have fewer#',
      '',
      'A month with # runs a day# each kept for # days:',
      ' amount cost',
      ' storage # GB #',
      ' writes # #',
      ' reads # #',
      ' in all #',
      '',
      'Not included: transfer out of the region of the bucket# and reading recordings later#',
      '',
    ].join('\n'),
  )
  await few[Symbol.asyncDispose]()
})

it.each([
  [['costs'], "required option '--runs-per-day <number>' not specified"],
  [['costs', '--runs-per-day', '10'], "required option '--gigabyte-month <price>' not specified"],
  [['costs', '--runs-per-day', '10', ...prices, '--machines', '0'], 'It has to be a whole number above 0.'],
  [['costs', '--runs-per-day', 'many', ...prices], 'It has to be a number, such as 1400000 or 0.023.'],
  [['costs', '--runs-per-day', '10', ...prices, '--store', 'runz'], 'runz'],
])('refuses %j', async (args, message) => {
  const { status, stdout, stderr } = await runCommand(project.path, args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})
