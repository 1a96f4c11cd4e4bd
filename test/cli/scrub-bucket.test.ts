import { expect, it, vi } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { record } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { newBucket, setUpShipCommands } from '../support/ship-commands.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

setUpShipCommands()

it('redacts the recordings in a bucket again, in their packs and in the index', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const store = '.goldenrun/runs'
  const bucket = newBucket()
  const named = await record(store, { input: { for: 'Ada Lovelace' }, tags: { person: 'Ada Lovelace' } }, () => 'done')
  const other = await record(store, { input: {} }, () => 'done')
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000)
  await runCommand(project.path, ['ship', '--to', bucket])
  now.mockRestore()
  await createS3Store(bucket).flag(named, 'wrong amount')
  await project.write(
    'goldenrun.config.ts',
    String.raw`export default { redact: { rules: [{ name: 'people', pattern: /\bAda L\w{7}/ }] } }`,
  )
  const before = (await createS3Store(bucket).read(other))?.text

  const dry = await runCommand(project.path, ['scrub', bucket, '--dry-run', '--json'])
  expect([dry.status, JSON.parse(dry.stdout)]).toMatchObject([
    1,
    { scrubbed: false, searched: 2, recordings: [{ id: named, values: 1 }], shared: [] },
  ])
  expect((await createS3Store(bucket).read(named))?.text).toContain('Ada Lovelace')
  const done = await runCommand(project.path, ['scrub', bucket, '--yes'])
  expect([done.status, done.stderr, done.stdout.split('\n').at(-2)]).toEqual([0, '', 'Scrubbed 1 recording. 2 recordings searched.'])
  const read = createS3Store(bucket)
  expect((await read.read(named))?.text).not.toContain('Lovelace')
  expect((await read.read(other))?.text).toBe(before)
  expect((await read.find({ tags: { person: 'Ada Lovelace' } })).runs).toEqual([])
  expect((await read.find({ flagged: true })).runs).toMatchObject([{ id: named, flags: ['wrong amount'] }])
  const again = await runCommand(project.path, ['scrub', bucket, '--yes'])
  expect([again.status, again.stdout]).toEqual([0, "Today's rules find nothing in any recording. 2 recordings searched.\n"])
})
