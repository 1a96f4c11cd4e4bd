import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

/** Columns are as wide as what stands in them, which differs from run to run. */
const inColumns = (output: string): string => withoutTimes(output).replaceAll(/(?<=\S) {2,}/g, '  ')

it('says what it would remove, and removes it when it is told to', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const promoted = await recordCancel(store)
  await promote(await readTrace(promoted), { name: 'cancel' })
  await recordCancel(store)
  const flagged = await recordRefundTwice(store)
  const free = await record(store, { input: {}, tags: { plan: 'free' } }, () => 'done')

  const dry = await runCommand(project.path, ['gc', '--successful', '0ms', '--tag', 'plan=free:0B'])
  expect(inColumns(dry.stdout)).toMatchInlineSnapshot(`
    "2 recordings (# kB) in .goldenrun/runs would be removed:
      rule  recordings  size  why
      plan=free  1  # kB  newer ones fill 0B
      successful  1  # kB  it is older than 0ms
    2 recordings (# kB) are kept.
    To remove them, run this again with --delete.
    "
  `)
  expect([dry.status, dry.stderr, (await createDirectoryStore(store).list()).length]).toEqual([0, '', 4])

  const done = await runCommand(project.path, ['gc', '--successful', '0ms', '--tag', 'plan=free:0B', '--delete'])
  expect(inColumns(done.stdout)).toMatchInlineSnapshot(`
    "Removed 2 recordings (# kB) from .goldenrun/runs:
      rule  recordings  size  why
      plan=free  1  # kB  newer ones fill 0B
      successful  1  # kB  it is older than 0ms
    2 recordings (# kB) are kept.
    "
  `)
  expect(await createDirectoryStore(store).list()).toEqual([promoted, flagged])
  expect(free).not.toBe('')

  const again = await runCommand(project.path, ['gc', '--successful', '0ms'])
  expect(inColumns(again.stdout)).toMatchInlineSnapshot(`
    "Nothing to remove in .goldenrun/runs: 2 recordings (# kB) are kept.
    "
  `)
})

it('goes by the config, and by the options before it', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const failed = await record(store, { input: {} }, () => Promise.reject(new Error('no')))
  const done = await recordCancel(store)
  await project.write('goldenrun.config.ts', `export default { retention: { failed: '0ms', successful: '0ms' } }`)

  const { stdout } = await runCommand(project.path, ['gc', '--successful', '1d', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    removed: false,
    unreadable: [],
    recordings: [
      {
        id: failed,
        agent: 'support',
        status: 'threw',
        startedAt: expect.any(String),
        bytes: expect.any(Number),
        rule: 'failed',
        why: 'it is older than 0ms',
      },
    ],
    bytes: expect.any(Number),
    kept: { runs: 1, bytes: expect.any(Number) },
  })
  expect((JSON.parse((await runCommand(project.path, ['gc', '--json', '--yes'])).stdout) as { removed: boolean }).removed).toBe(true)
  expect(await createDirectoryStore(store).list()).toEqual([])
  expect(done).not.toBe('')
})

it('holds a directory to 20 GB where nothing says how long recordings are kept', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  const { status, stdout } = await runCommand(project.path, ['gc', '--delete'])
  expect([status, inColumns(stdout)]).toEqual([0, 'Nothing to remove in .goldenrun/runs: 1 recording (# kB) is kept.\n'])
})

it('removes nothing from another store where nothing says how long recordings are kept', async () => {
  await using project = await createTemporaryDirectory()
  const config = `const no = async () => ({ runs: [], unreadable: [] })
export default { store: { open() {}, list: async () => [], read: async () => undefined, find: no, remove: async () => false } }`
  await project.write('goldenrun.config.ts', config)
  expect(await runCommand(project.path, ['gc', '--delete'])).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'No retention is configured, so all recordings are kept. Set "retention" in goldenrun.config.ts, or pass an option: goldenrun gc --successful 7d\n',
  })
})

it('refuses an invalid limit', async () => {
  await using project = await createTemporaryDirectory()
  const { status, stderr } = await runCommand(project.path, ['gc', '--failed', '30'])
  expect([status, stderr]).toEqual([
    2,
    'goldenrun gc: the option "retention" has to have a duration such as "90s", "12h" or "30d", a size such as "500MB" or "5GB", both ("30d, 5GB") or "forever" as "failed".\n',
  ])
  await project.write('goldenrun.config.ts', `export default { retention: { fail: '30d' } }`)
  expect((await runCommand(project.path, ['gc'])).stderr).toContain(
    'retention takes promoted, flagged, test, failed, successful, tags, not "fail".',
  )
})
