import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { promote } from '../../src/goldens/promote.ts'
import { expectDeparture } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { type CommandResult, runCommand, spawnCommand, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('lists recordings, the newest first, and golden traces', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const cancel = await recordCancel(store)
  const refund = await recordRefundTwice(store)
  await record(store, { agent: 'triage', input: {} }, () => Promise.reject(new Error('no')))
  await promote(await readTrace(cancel), { name: 'cancel', description: 'An order that has not left yet' })
  const incident = await readTrace(refund)
  await promote(incident, { name: 'refund-twice', expect: expectDeparture(incident) })

  const { status, stdout, stderr } = await runCommand(project.path, ['list'])

  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Recordings in .goldenrun/runs:
      id                           agent    status    steps  started               golden        flags
      YYYYMMDD-hhmmssmmm-xxxxxxxx  triage   threw         0  YYYY-MM-DD hh:mm:ssZ
      YYYYMMDD-hhmmssmmm-xxxxxxxx  support  returned      3  YYYY-MM-DD hh:mm:ssZ  refund-twice  refund_order: step 3 repeats step 2
      YYYYMMDD-hhmmssmmm-xxxxxxxx  support  returned      2  YYYY-MM-DD hh:mm:ssZ  cancel

    Golden traces in golden-traces:
      name          agent    steps  holds when                                           description
      cancel        support      2  the run is the same                                  An order that has not left yet
      refund-twice  support      3  the agent, after step 2, does not make step 3 again
    "
  `)
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('says where it looked when there is nothing', async () => {
  await using project = await createTemporaryDirectory()
  expect(await runCommand(project.path, ['list', '--store', 'elsewhere'])).toEqual({
    status: 0,
    stdout: 'No recordings in elsewhere.\n\nNo golden traces in golden-traces.\n',
    stderr: '',
  })
})

it('does not say that there is nothing where nothing matches', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  const { stdout } = await runCommand(project.path, ['list', '--tag', 'user=nobody'])
  expect(stdout).toBe(`No recordings in ${store} that match.\n\nNo golden traces in golden-traces that match.\n`)
  const limited = await runCommand(project.path, ['list', '--limit', '1'])
  expect(limited.stdout).toMatch(/\n\nNo golden traces in golden-traces\.\n$/)
})

it('lists what it can when a trace is damaged, and says which is', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  await project.write(`${store}/20260101-000000-00000000.jsonl`, '')
  await project.write('golden-traces/newer.jsonl', '{"kind":"run","format":7}\n')

  const { status, stdout, stderr } = await runCommand(project.path, ['list'])

  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Recordings in .goldenrun/runs:
      id                           agent    status      steps  started               golden  flags
      YYYYMMDD-hhmmssmmm-xxxxxxxx  support  returned        2  YYYY-MM-DD hh:mm:ssZ
      20260101-000000-00000000              unreadable

    Golden traces in golden-traces:
      name   agent  steps  holds when                description
      newer                never: it cannot be read
    "
  `)
  expect(stderr).toMatchInlineSnapshot(`
    "golden-traces/newer.jsonl was written in trace format 7; this goldenrun (0.1.0) reads up to 3. Update goldenrun: npm install --save-dev goldenrun@latest
    .goldenrun/runs/20260101-000000-00000000.jsonl: the file is empty and has no run row. The file was edited by hand or damaged: restore it from a backup, or record the run again.
    "
  `)
  expect(status).toBe(0)
})

/** As a command, without a process of its own: those take a while. */
async function runInProcess(args: readonly string[]): Promise<CommandResult> {
  let [stdout, stderr] = ['', '']
  const terminal = {
    ...createTerminal(),
    print: (text: string) => void (stdout += `${text}\n`),
    printError: (text: string) => void (stderr += `${text}\n`),
  }
  return { status: await runCommandLine(args, terminal), stdout, stderr }
}

/** Spoils a recording, and gives what `list` says of it. */
const spoiled: readonly [name: string, spoil: (file: string) => void, message: string][] = [
  [
    'a flipped byte in its first frame',
    (file) => {
      const bytes = readFileSync(file)
      bytes.writeUInt8(bytes.readUInt8(40) ^ 0xff, 40)
      writeFileSync(file, bytes)
    },
    'the log is damaged: the frame at byte 8 is corrupted. Restore it from a backup, or record the run again.',
  ],
  [
    'random bytes',
    (file) => writeFileSync(file, Buffer.concat([Buffer.from([0x80]), randomBytes(200), Buffer.from('\n')])),
    'the file is not a recording. Restore it from a backup, or remove it.',
  ],
  [
    'a directory in its place',
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    'this is a directory, not a trace. Move it out of the store.',
  ],
]

it.each(spoiled)('lists, counts and removes the others when a recording has %s', async (_name, spoil, message) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [damaged, whole] = [await recordCancel(store), await recordCancel(store)]
  spoil(project.resolve(`${store}/${damaged}.runlog`))

  for (const fresh of [false, true]) {
    if (fresh) rmSync(project.resolve(`${store}/index`), { recursive: true })
    const { status, stdout, stderr } = await runInProcess(['list'])
    expect(stdout).toMatch(new RegExp(`${whole}.* returned`))
    expect(stdout).toMatch(new RegExp(`${damaged} .* unreadable`))
    expect([status, stderr]).toEqual([0, `${store}/${damaged}.runlog: ${message}\n`])
  }
  expect(await listInProcess([])).toMatchObject({
    recordings: [{ id: whole }],
    unreadable: [{ kind: 'recording', trace: damaged, code: 'GOLDENRUN_TRACE_FORMAT' }],
  })
  expect((await runInProcess(['stats'])).stdout).toMatch(/^1 recording in /)
  expect((await runInProcess(['gc', '--successful', '1B', '--delete'])).stdout).toMatch(/^Removed 1 recording /)
})

it.each([
  ['a number as a tag', { user: 42 }],
  ['no tags but null', null],
])('lists a recording of an earlier release with %s as unreadable', async (_name, tags) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const whole = await recordCancel(store)
  const header = { ...(await readTrace(whole)).header, id: 'earlier', tags }
  await project.write(`${store}/earlier.jsonl`, `${JSON.stringify(header)}\n{"kind":"end","at":1}\n{"kind":"closed","until":1}\n`)
  const { status, stdout, stderr } = await runInProcess(['list'])
  expect(stdout).toMatch(new RegExp(`${whole}.* returned`))
  expect(stdout).toMatch(/earlier .* unreadable/)
  expect(stderr).toMatch(/^\.goldenrun\/runs\/earlier\.jsonl:1: .*tags.* record the run again\.\n$/)
  expect(status).toBe(0)
})

it('prints one JSON object with --json', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  const { header, end } = await readTrace(id)
  await project.write(`${store}/damaged.jsonl`, '')
  const { file } = await promote(await readTrace(id), { name: 'cancel', promotedAt: '2026-11-21T02:14:06.000Z' })
  expect(file).toBe(project.resolve('golden-traces/cancel.jsonl'))

  const { status, stdout, stderr } = await runCommand(project.path, ['list', '--json'])

  const trace = {
    id,
    traceId: header.traceId,
    agent: 'support',
    agentVersion: '1.4.0',
    status: 'returned',
    startedAt: header.startedAt,
    durationMs: end?.at,
    steps: 2,
    modelCalls: 0,
    toolCalls: 2,
    models: [],
    tools: ['get_order', 'cancel_order'],
    tags: { user: '42' },
    flags: [],
    repeatedSideEffects: 0,
    effects: [{ name: 'cancel_order', hash: expect.stringMatching(/^[0-9a-f]{32}$/), step: 2, at: expect.any(Number) }],
    usage: { inputTokens: 0, outputTokens: 0 },
  }
  const golden = { name: 'cancel', expect: { replay: 'same' }, promotedAt: '2026-11-21T02:14:06.000Z', promotedFrom: id }
  expect(JSON.parse(stdout)).toEqual({
    recordings: [{ ...trace, bytes: expect.any(Number), file: `${store}/${id}.runlog`, goldens: ['cancel'] }],
    goldens: [{ ...trace, file: 'golden-traces/cancel.jsonl', golden }],
    unreadable: [
      {
        kind: 'recording',
        trace: 'damaged',
        code: 'GOLDENRUN_TRACE_FORMAT',
        message: expect.stringContaining('damaged.jsonl: the file is empty'),
      },
    ],
    more: false,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('prints no colours and no control characters of a trace to a pipe', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await record(store, { agent: 'evil\u001b[2J\u202Eagent', input: 'a\u009bb\nc' }, (input) => input)

  for (const args of [['list'], ['show', 'latest']]) {
    const { stdout } = await spawnCommand(project.path, args, { FORCE_COLOR: '1', CI: 'true' })
    expect(stdout).toContain('evil\\u001b[2J\\u202eagent')
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u)
  }
})

/** As the command prints it, without a process of its own: those take a while. */
async function listInProcess(args: readonly string[]): Promise<unknown> {
  let printed: unknown
  const status = await runCommandLine(['list', '--json', ...args], { ...createTerminal(), printJson: (value) => (printed = value) })
  expect(status).toBe(0)
  return printed
}

it('lists the runs that the filters hold for', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const cancel = await recordCancel(store)
  const refund = await recordRefundTwice(store)
  const failed = await record(store, { agent: 'triage', input: {}, tags: { plan: 'free' } }, () => Promise.reject(new TypeError('No mail')))
  await promote(await readTrace(cancel), { name: 'cancel' })
  const { header } = await readTrace(refund)
  const filters: readonly (readonly [args: string[], recordings: string[], goldens: string[]])[] = [
    [['--agent', 'support'], [refund, cancel], ['cancel']],
    [['--agent', 'support', '--limit', '1'], [refund], ['cancel']],
    [['--agent-version', '1.4.0'], [cancel], ['cancel']],
    [['--status', 'threw'], [failed], []],
    [['--tool', 'refund_order'], [refund], []],
    [['--tag', 'user=42'], [cancel], ['cancel']],
    [['--tag', 'plan=free', '--tag', 'user=42'], [], []],
    [['--error', 'mail'], [failed], []],
    [['--trace-id', header.traceId], [refund], []],
    [['--repeated-side-effects'], [refund], []],
    [['--flagged'], [refund], []],
    [['--since', '1h'], [failed, refund, cancel], ['cancel']],
    [['--since', '2999-01-01'], [], []],
    [['--model', 'gpt-4.1'], [], []],
  ]
  for (const [args, recordings, goldens] of filters) {
    const lists = (await listInProcess(args)) as { recordings: { id: string }[]; goldens: { golden: { name: string } }[] }
    expect([args, lists.recordings.map(({ id }) => id), lists.goldens.map(({ golden }) => golden.name)]).toEqual([
      args,
      recordings,
      goldens,
    ])
  }
})

it('says that there is more than it lists', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  await recordCancel(store)
  const { stdout, stderr } = await runCommand(project.path, ['list', '--limit', '1'])
  expect(stdout.match(/support/g)).toHaveLength(1)
  expect(stderr).toBe('These are the newest 1. To see more: --limit 10\n')
})

it.each([
  [
    ['--since', 'yesterday'],
    `error: option '--since <when>' argument 'yesterday' is invalid. It has to be a duration such as "90s", "12h" or "30d", or a time such as "2026-11-21" or "2026-11-21T02:14:00Z".`,
  ],
  [['--tag', 'user'], `error: option '--tag <name=value>' argument 'user' is invalid. It has to be a name and a value: --tag user=42`],
  [['--limit', '0'], `error: option '--limit <count>' argument '0' is invalid. It has to be a whole number above 0.`],
])('refuses %j', async (args, message) => {
  await using project = await createTemporaryDirectory()
  const { status, stderr } = await runCommand(project.path, ['list', ...args])
  expect([status, stderr.split('\n')[0]]).toEqual([2, message])
})
