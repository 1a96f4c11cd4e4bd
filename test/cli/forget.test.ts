import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'
const reply = tool('reply', { effect: 'write' }, async ({ text }: { text: string }) => text)

/** Columns are as wide as what stands in them, which differs from run to run. */
const inColumns = (output: string): string => withoutTimes(output).replaceAll(/(?<=\S) {2,}/g, '  ')

/** The files below a directory whose bytes have a text. */
function filesWith(directory: string, text: string): string[] {
  const names = readdirSync(directory, { recursive: true }).map(String)
  return names.filter((name) => {
    const file = path.join(directory, name)
    return statSync(file).isFile() && (name.includes(text) || readFileSync(file).includes(text))
  })
}

it('lists the runs with a tag and the goldens made from them, and removes the runs', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const mine = await recordCancel(store)
  await promote(await readTrace(mine), { name: 'cancel' })
  await createDirectoryStore(store).flag(mine, 'promoted as billing/cancel')
  const others = await recordRefundTwice(store)

  const dry = await runCommand(project.path, ['forget', '--tag', 'user=42', '--dry-run'])
  expect(inColumns(dry.stdout)).toBe(
    [
      '1 recording in .goldenrun/runs (# kB):',
      '  id  agent  status  started  where',
      '  YYYYMMDD-hhmmssmmm-xxxxxxxx  support  returned  YYYY-MM-DD hh:mm:ssZ  .goldenrun/runs/YYYYMMDD-hhmmssmmm-xxxxxxxx.runlog',
      '',
      'Goldens made from the runs, which stay. Delete them, or record them again with other data:',
      '  golden  from  file',
      '  cancel  YYYYMMDD-hhmmssmmm-xxxxxxxx  golden-traces/cancel.jsonl',
      '  billing/cancel  YYYYMMDD-hhmmssmmm-xxxxxxxx  in another project',
      'Would remove 1 run. To remove: the same without --dry-run.',
      '',
    ].join('\n'),
  )
  expect([dry.status, dry.stderr, await createDirectoryStore(store).list()]).toEqual([1, '', [mine, others]])

  const done = await runCommand(project.path, ['forget', '--tag', 'user=42', '--yes'])
  expect([done.status, done.stderr, done.stdout.split('\n').at(-2)]).toEqual([1, '', 'Removed 1 run.'])
  expect(await createDirectoryStore(store).list()).toEqual([others])
  expect(filesWith(project.resolve(store), mine)).toEqual([])

  const again = await runCommand(project.path, ['forget', '--tag', 'user=42', '--yes', '--json'])
  expect([again.status, JSON.parse(again.stdout)]).toEqual([
    1,
    {
      removed: false,
      recordings: [],
      secretsOnly: [],
      underWay: [],
      goldens: [{ golden: 'cancel', promotedFrom: mine, file: 'golden-traces/cancel.jsonl' }],
      unreadable: [],
    },
  ])
})

it('removes nothing without confirmation', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const run = await recordCancel(store)
  const asked = await runCommand(project.path, ['forget', '--run', run])
  expect([asked.status, asked.stderr]).toEqual([
    2,
    'Removed nothing: there is no terminal to prompt in. To go on without confirmation: --yes. To list only: --dry-run\n',
  ])
  const json = await runCommand(project.path, ['forget', '--run', run, '--json'])
  expect([json.status, json.stdout, json.stderr]).toEqual([
    2,
    '',
    'Removed nothing: --json prints only the result and cannot ask. To go on without confirmation: --yes. To list only: --dry-run\n',
  ])
  expect(await createDirectoryStore(store).list()).toEqual([run])
})

it('needs to be told whose runs, and finds one by the beginning of its id', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [one, other] = [await recordCancel(store), await recordCancel(store)]
  expect(await runCommand(project.path, ['forget', '--yes'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'Name whose runs to forget: goldenrun forget --tag user=42, or --run <id>\n',
  })
  const common = one.slice(0, 4)
  expect(await runCommand(project.path, ['forget', '--run', common, '--yes'])).toEqual({
    status: 2,
    stdout: '',
    stderr: `Several recordings in .goldenrun/runs begin with "${common}": ${one}, ${other}. Name one of them.\n`,
  })
  expect(await runCommand(project.path, ['forget', '--run', 'nothing', '--yes'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'There is no recording "nothing" in .goldenrun/runs.\n',
  })
  const done = await runCommand(project.path, ['forget', '--run', one.slice(0, -1), '--yes'])
  expect([done.status, await createDirectoryStore(store).list()]).toEqual([0, [other]])
  const again = await runCommand(project.path, ['forget', '--run', one, '--yes'])
  expect(again).toEqual({ status: 0, stdout: 'Nothing to remove.\n', stderr: '' })
})

it('names a recording that cannot be read, and removes it when it is named', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const run = await recordCancel(store)
  await project.write(`${store}/${run}.runlog`, 'not a log')
  const byTag = await runCommand(project.path, ['forget', '--tag', 'user=42', '--yes'])
  expect([byTag.status, byTag.stdout]).toEqual([1, 'Nothing to remove.\n'])
  expect(byTag.stderr).toContain(`${run}.runlog`)
  const byId = await runCommand(project.path, ['forget', '--run', run, '--yes'])
  expect([byId.status, byId.stderr, await createDirectoryStore(store).list()]).toEqual([0, '', []])
})

it('leaves a run in flight, and says so', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recorder = createRecorder({ store, thread: false })
  const gate = Promise.withResolvers<void>()
  let id = ''
  const running = recorder.run({ agent: 'support', input: {}, tags: { user: '42' } }, async () => {
    id = currentRun()?.id ?? ''
    await reply({ text: 'One moment.' })
    await gate.promise
  })
  await expect.poll(async () => (await createDirectoryStore(store).find({ tags: { user: '42' } })).runs.length).toBe(1)
  const early = await runCommand(project.path, ['forget', '--tag', 'user=42', '--yes', '--json'])
  expect([early.status, JSON.parse(early.stdout)]).toMatchObject([
    1,
    { removed: false, recordings: [], underWay: [{ id, status: 'in-flight' }] },
  ])
  gate.resolve()
  await running
  await recorder.close()
  const late = await runCommand(project.path, ['forget', '--tag', 'user=42', '--yes', '--json'])
  expect([late.status, JSON.parse(late.stdout)]).toMatchObject([0, { removed: true, recordings: [{ id }], underWay: [] }])
  expect(await createDirectoryStore(store).list()).toEqual([])
})

it('says that a tag whose value is redacted finds nothing', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const run = await record(store, { input: {}, tags: { user: 'ada@shop.test' } }, () => 'done')
  const { status, stdout, stderr } = await runCommand(project.path, ['forget', '--tag', 'user=ada@shop.test', '--yes'])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe(
    'Redaction replaces this value of the tag "user", so a recording has a stand-in there and is not found by it. Find its runs in another way, and name them: --run <id>. Tag runs with an id that is not personal data, such as user=42.\n',
  )
  expect(await createDirectoryStore(store).list()).toEqual([run])
})

it('removes what redaction took out, also of a run that is already gone', async () => {
  await using project = await createTemporaryDirectory()
  const [gone, left] = await recordWithSecrets(project)
  await createDirectoryStore(store).remove(gone)
  const secrets = '.goldenrun/secrets'
  expect(filesWith(project.resolve(secrets), gone)).toHaveLength(1)
  const dead = await runCommand(project.path, ['forget', '--run', gone, '--yes'])
  expect([dead.status, dead.stdout]).toEqual([0, `What redaction took out of 1 run, in ${secrets}:\n  ${gone}\nRemoved 1 run.\n`])
  const byTag = await runCommand(project.path, ['forget', '--tag', 'user=42', '--yes'])
  expect([byTag.status, byTag.stdout]).toEqual([
    0,
    expect.stringContaining(`What redaction took out of 1 run, in ${secrets}:\n  ${left}\n`),
  ])
  expect([filesWith(project.resolve(secrets), gone), filesWith(project.resolve(secrets), left)]).toEqual([[], []])
})

it('names a store that cannot remove recordings', async () => {
  await using project = await createTemporaryDirectory()
  const config = `export default { store: { open() {}, list: async () => [], read: async () => undefined } }`
  await project.write('goldenrun.config.ts', config)
  expect(await runCommand(project.path, ['forget', '--tag', 'user=42', '--yes'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'Cannot forget recordings: the store has no "remove". Use a store that has it; a directory does.\n',
  })
})

it('does nothing while another process ships or removes recordings', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const run = await recordCancel(store)
  const lease = await createDirectoryStore(store).lease('ship', 60_000)
  const { status, stderr } = await runCommand(project.path, ['forget', '--run', run, '--yes'])
  expect([status, stderr]).toEqual([
    2,
    'Another process is moving recordings from .goldenrun/runs, or one on another machine died less than ten minutes ago. Run the same command again later.\n',
  ])
  expect(await createDirectoryStore(store).list()).toEqual([run])
  await lease?.release()
  expect((await runCommand(project.path, ['forget', '--run', run, '--yes'])).status).toBe(0)
})

/** Records two runs of the user 42 whose addresses are kept. */
async function recordWithSecrets(project: TemporaryDirectory): Promise<readonly [string, string]> {
  project.enter()
  const key = randomBytes(32).toString('base64')
  await project.write('goldenrun.config.ts', `export default { secrets: { store: './.goldenrun/secrets', key: undefined } }`)
  const recorder = createRecorder({ store, thread: false, secrets: { store: '.goldenrun/secrets', key } })
  const ids: string[] = []
  for (const ticket of ['ada@shop.test', 'bob@shop.test'])
    await recorder.run({ agent: 'support', input: { ticket }, tags: { user: '42' } }, async () => void ids.push(currentRun()?.id ?? ''))
  await recorder.close()
  return [ids[0] ?? '', ids[1] ?? '']
}
