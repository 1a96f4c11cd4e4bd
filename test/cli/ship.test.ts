import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { newBucket, setUpShipCommands, world } from '../support/ship-commands.ts'

setUpShipCommands()

async function createSpool(): Promise<{ readonly project: TemporaryDirectory; readonly ids: readonly string[] }> {
  const project = await createTemporaryDirectory()
  project.enter()
  return { project, ids: [await recordCancel('.goldenrun/runs'), await recordRefundTwice('.goldenrun/runs')] }
}

const logsOf = (project: TemporaryDirectory): string[] =>
  readdirSync(project.resolve('.goldenrun/runs')).filter((name) => name.endsWith('.runlog'))

it('ships what has ended, and the commands find it in the bucket', async () => {
  const bucket = newBucket()
  const { project, ids } = await createSpool()
  // A run is shipped a minute after it ended.
  expect(await runCommand(project.path, ['ship', '--to', bucket])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Shipped 0 recordings to s3:\S+ 2 more ended less than a minute ago, or have not ended yet\.\n$/),
  })
  expect(logsOf(project)).toHaveLength(2)

  const later = Date.now() + 120_000
  const now = vi.spyOn(Date, 'now').mockReturnValue(later)
  const shipped = await runCommand(project.path, ['ship', '--to', bucket, '--json'])
  now.mockRestore()
  expect([shipped.status, shipped.stderr, JSON.parse(shipped.stdout)]).toMatchObject([
    0,
    '',
    { shipped: 2, waiting: 0, unreadable: [], isBusy: false },
  ])
  expect(logsOf(project)).toEqual([])

  const listed = await runCommand(project.path, ['list', '--store', bucket, '--json'])
  const { recordings } = JSON.parse(listed.stdout) as { recordings: { id: string }[] }
  expect(recordings.map(({ id }) => id)).toEqual(ids.toReversed())
  const flagged = await runCommand(project.path, ['list', '--store', bucket, '--repeated-side-effects', '--json'])
  expect((JSON.parse(flagged.stdout) as { recordings: { id: string }[] }).recordings.map(({ id }) => id)).toEqual([ids[1]])
  const shown = await runCommand(project.path, ['show', ids[0] ?? '', '--store', bucket])
  expect([shown.status, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toContain('cancel_order')
  const promoted = await runCommand(project.path, ['promote', ids[0] ?? '', '--store', bucket, '--name', 'cancel', '--no-replay', '--yes'])
  expect([promoted.status, promoted.stderr]).toEqual([0, ''])
  expect(await project.read('golden-traces/cancel.jsonl')).toContain(ids[0])
})

it('says of a run whose pack a lifecycle rule has removed that it is gone', async () => {
  const bucket = newBucket()
  const { project, ids } = await createSpool()
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000)
  await runCommand(project.path, ['ship', '--to', bucket])
  now.mockRestore()
  const storage = new S3ObjectStorage(toS3Location(bucket))
  for await (const page of storage.list({ prefix: 'runs/' }))
    for (const { key } of page) if (key.endsWith('.pack')) await storage.delete(key)
  const { status, stderr } = await runCommand(project.path, ['show', ids[0] ?? '', '--store', bucket])
  expect([status, stderr]).toEqual([
    2,
    `${bucket} still lists the recording ${ids[0]}, but no longer holds it. Something else removed it, for example a lifecycle rule of the bucket.\n`,
  ])
})

it('leaves recordings in the spool, and prints no credentials, where the bucket refuses', async () => {
  const { project } = await createSpool()
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000)
  world.fault = ({ method }) => (method === 'PUT' ? 403 : undefined)
  const { status, stdout, stderr } = await runCommand(project.path, ['ship', '--to', newBucket()])
  world.fault = () => undefined
  now.mockRestore()
  expect(status).toBe(2)
  expect(stderr).toMatch(/403|refused/)
  expect(`${stdout}${stderr}`).not.toContain('S3RVER')
  expect(logsOf(project)).toHaveLength(2)
})

it.each([
  [['ship'], "required option '--to <url>' not specified"],
  [['ship', '--to', 'elsewhere'], 'this is not the URL of a bucket'],
  [['ship', '--to', 's3://key:secret@bucket/x'], 'credentials'],
  [['ship', '--to', 's3://bucket/x?endpoint=http://key:secret@127.0.0.1:1'], 'credentials do not belong in the URL of an endpoint'],
  [['ship', '--to', 's3://bucket/x', '--store', 'runz'], 'There are no recordings at runz: the directory does not exist.'],
  [['ship', '--to', 's3://bucket', '--after', 'soon'], '--after'],
])('refuses %j', async (args, message) => {
  const { project } = await createSpool()
  const { status, stdout, stderr } = await runCommand(project.path, args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('secret@')
})

it('replays a recording of a bucket, which the replay itself cannot reach', async () => {
  const bucket = newBucket()
  const { project, ids } = await createSpool()
  await project.write('goldenrun.config.ts', 'export default { agents: { support: "./agent.ts" } }')
  await project.write('agent.ts', 'export default () => "something else"')
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000)
  await runCommand(project.path, ['ship', '--to', bucket])
  now.mockRestore()
  const { stdout, stderr } = await runCommand(project.path, ['replay', ids[0] ?? '', '--store', bucket])
  expect(`${stdout}${stderr}`).not.toContain('refused to contact')
  expect(stdout).toContain('The recorded run made this call, but the agent did not.')
})
