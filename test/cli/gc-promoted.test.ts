import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { recordCancel } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it('keeps what another project promoted, until that project releases it', async () => {
  await using project = await createTemporaryDirectory()
  await using elsewhere = await createTemporaryDirectory()
  await project.write('package.json', '{"name":"shop"}')
  const store = elsewhere.resolve('shared')
  const [promoted, other] = [await recordCancel(store), await recordCancel(store)]
  const gc = ['gc', '--store', store, '--successful', '0ms', '--flagged', '0ms', '--delete']
  const wrote = await runCommand(project.path, ['promote', promoted, '--name', 'cancel', '--store', store, '--yes', '--no-replay'])
  expect([wrote.status, wrote.stderr]).toEqual([0, ''])
  const [run] = (await createDirectoryStore(store).find({ flagged: true })).runs
  expect([run?.id, run?.flags]).toEqual([promoted, ['promoted as shop/cancel']])

  expect((await runCommand(elsewhere.path, gc)).status).toBe(0)
  expect([await createDirectoryStore(store).list(), other === promoted]).toEqual([[promoted], false])
  expect((await runCommand(elsewhere.path, [...gc, '--release'])).stderr).toBe('Released 0 recordings whose goldens are gone.\n')
  expect((await runCommand(project.path, [...gc, '--release'])).stderr).toBe('Released 0 recordings whose goldens are gone.\n')
  expect(await createDirectoryStore(store).list()).toEqual([promoted])

  rmSync(project.resolve('golden-traces/cancel.jsonl'))
  expect((await runCommand(project.path, gc)).status).toBe(0)
  expect(await createDirectoryStore(store).list()).toEqual([promoted])
  expect((await runCommand(project.path, [...gc, '--release'])).stderr).toBe('Released 1 recording whose goldens are gone.\n')
  expect(await createDirectoryStore(store).list()).toEqual([])
})

it('prints the retention as lifecycle rules of a bucket', async () => {
  await using project = await createTemporaryDirectory()
  await project.write(
    'goldenrun.config.ts',
    `export default { retention: { failed: '90d', successful: '36h, 5GB', flagged: 'forever', test: '1GB', tags: { 'plan=free': '3d' } } }`,
  )
  const { status, stdout, stderr } = await runCommand(project.path, ['gc', '--lifecycle', 'fleet/'])
  const rule = (name: string, prefix: string, days: number): object => ({
    ID: `goldenrun-fleet-${name}`,
    Status: 'Enabled',
    Filter: { Prefix: prefix },
    Expiration: { Days: days },
  })
  expect(JSON.parse(stdout)).toEqual({
    Rules: [
      rule('failed', 'fleet/runs/failed/', 90),
      rule('successful', 'fleet/runs/successful/', 2),
      rule('plan=free', 'fleet/runs/plan%3Dfree/', 3),
    ],
  })
  expect([status, stderr]).toEqual([0, 'Buckets have no size limits, so goldenrun gc --delete applies these: successful, test.\n'])
  const slashes = await runCommand(project.path, ['gc', '--lifecycle', '/fleet/'])
  expect(slashes.stdout).toBe(stdout)
  const bare = await runCommand(project.path, ['gc', '--lifecycle'])
  expect(bare.stdout).toContain('"Prefix": "runs/failed/"')
})
