import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { confirm } from '../../src/cli/terminal.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { buildPackage } from '../support/build-package.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand, runNode, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('shows what it keeps, and writes it with --yes', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)

  const sentences = ['--describe', 'An order that has not left yet', '--expect', 'It is cancelled']
  const { status, stdout, stderr } = await runCommand(project.path, [
    'promote',
    'latest',
    '--name',
    'cancel-unshipped',
    '--yes',
    ...sentences,
  ])

  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Promote YYYYMMDD-hhmmssmmm-xxxxxxxx to golden-traces/cancel-unshipped.jsonl
      agent       support
      outcome     returned {"reply":"Your order is cancelled."}
      steps       2 (2 tool)
      size        # kB
      tools       get_order → cancel_order
      holds when  the run is the same
      redacted    1 value (1 provider-key)
    Wrote golden-traces/cancel-unshipped.jsonl.
    "
  `)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect((await readTrace('cancel-unshipped')).header.golden).toEqual({
    name: 'cancel-unshipped',
    description: 'An order that has not left yet',
    expectedOutcome: 'It is cancelled',
    expect: { replay: 'same' },
    promotedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    promotedFrom: id,
  })
})

it('promotes an incident at the first repeated side effect', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordRefundTwice(store)
  await project.write('answers.json', '{ "find_refund": { "refunds": [] } }')

  const checks = ['--check', 'toHaveCalledTool("find_refund", {"id": "ord_1"})', '--check', 'toHaveNoRepeatedSideEffects']
  const options = ['--name', 'refund-twice', '--incident', '--answers', 'answers.json', ...checks, '--yes']
  const { status, stdout } = await runCommand(project.path, ['promote', 'latest', ...options])

  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Promote YYYYMMDD-hhmmssmmm-xxxxxxxx to golden-traces/refund-twice.jsonl
      agent       support
      outcome     returned {"reply":"Your money is on its way."}
      steps       3 (3 tool)
      size        # kB
      tools       get_order → refund_order → refund_order
      holds when  the agent, after step 2, does not make step 3 again, passes toHaveCalledTool("find_refund", {"id":"ord_1"}) and toHaveNoRepeatedSideEffects(), with answers for find_refund
      verified    no (goldenrun.config.ts names no agent "support"): nothing shows that this golden finds the bug
      redacted    1 value (1 provider-key)
      crypto      1 draw of random bytes, which may be keys that the run made
      repeated    refund_order: step 3 repeats step 2
    Wrote golden-traces/refund-twice.jsonl.
    "
  `)
  expect(status).toBe(0)
  expect((await readTrace('refund-twice')).header.golden?.expect).toEqual({
    replay: 'departs',
    trigger: 2,
    at: 3,
    answers: { find_refund: { refunds: [] } },
    checks: [{ matcher: 'toHaveCalledTool', args: ['find_refund', { id: 'ord_1' }] }, { matcher: 'toHaveNoRepeatedSideEffects' }],
  })
})

it('promotes an incident at the step that is named', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  const check = 'toHaveOutcome({"output":{"reply":"No."}})'
  const { status } = await runCommand(project.path, ['promote', 'latest', '--name', 'wrong', '--incident', '2', '--check', check, '--yes'])
  expect(status).toBe(0)
  expect((await readTrace('wrong')).header.golden?.expect).toEqual({
    replay: 'departs',
    trigger: 1,
    at: 2,
    checks: [{ matcher: 'toHaveOutcome', args: [{ output: { reply: 'No.' } }] }],
  })
})

it('proposes to run a tool if the incident lies inside it', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const charge = tool('charge', { effect: 'write' }, async (_amount: number) => 'charged')
  const refund = tool('refund', { effect: 'write' }, async (amount: number) => [await charge(amount), await charge(amount)])
  const recorder = createRecorder({ store })
  await recorder.run({ agent: 'support', input: 49 }, refund)
  await recorder.close()

  const check = 'toHaveOutcome({ "output": ["charged"] })'
  const options = ['promote', 'latest', '--name', 'inside', '--incident', '3', '--check', check, '--yes']
  const advice =
    'Step 3 is made inside the tool refund, whose function does not run in a replay. To judge what it does: --run-tool refund\n'
  const told = await runCommand(project.path, options)
  expect(told.stdout, told.stderr).toContain(advice)
  expect((await runCommand(project.path, [...options, '--force', '--run-tool', 'refund'])).stdout).not.toContain('Step 3 is made inside')
})

it('says what a golden of a run that repeats a side effect would hold', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordRefundTwice(store)
  const { stdout } = await runCommand(project.path, ['promote', 'latest', '--name', 'refund', '--yes'])
  expect(stdout.split('\n').slice(-3)).toEqual([
    'This golden would hold as long as the agent repeats the side effect. For a test that is red until it stops: --incident',
    'Wrote golden-traces/refund.jsonl.',
    '',
  ])
})

it('prints one JSON object with --json', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordRefundTwice(store)

  const { status, stdout, stderr } = await runCommand(project.path, [
    'promote',
    'latest',
    '--name',
    'refund',
    '--incident',
    '--yes',
    '--json',
  ])

  expect(JSON.parse(stdout)).toEqual({
    name: 'refund',
    incident: { unverified: 'goldenrun.config.ts names no agent "support"' },
    file: 'golden-traces/refund.jsonl',
    agent: 'support',
    promotedFrom: id,
    expect: { replay: 'departs', trigger: 2, at: 3 },
    bytes: Buffer.byteLength(await project.read('golden-traces/refund.jsonl')),
    steps: 3,
    tools: [
      { name: 'get_order', source: 'ran' },
      { name: 'refund_order', source: 'ran' },
      { name: 'refund_order', source: 'ran' },
    ],
    redacted: { standIns: 1, byRule: { 'provider-key': 1 } },
    cryptoDraws: 1,
    repeatedSideEffects: [{ name: 'refund_order', step: 3, first: 2 }],
    nativeAddons: [],
    losses: [],
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('writes nothing without --yes when it cannot prompt', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)

  const asked = await runCommand(project.path, ['promote', 'latest', '--name', 'cancel'])
  expect(asked.stdout).toContain('to golden-traces/cancel.jsonl\n')
  expect(asked.stderr).toBe(
    'Did not write golden-traces/cancel.jsonl: there is no terminal to prompt in. To promote without confirmation: --yes\n',
  )
  expect(asked.status).toBe(2)
  expect(await runCommand(project.path, ['promote', 'latest', '--name', 'cancel', '--json'])).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'Did not write golden-traces/cancel.jsonl: --json prints only the result and cannot ask. To promote without confirmation: --yes\n',
  })
  await expect(project.read('golden-traces/cancel.jsonl')).rejects.toThrow('ENOENT')
})

it('refuses a name that is taken, and replaces the golden with --force', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  const promoteAs = (...options: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(project.path, ['promote', 'latest', '--name', 'cancel', '--yes', ...options])
  await promoteAs('--describe', 'first')

  expect(await promoteAs()).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'There is already a golden trace "cancel": golden-traces/cancel.jsonl. ' +
      'Choose another name, or replace it: --force on the command line, { force: true } in code.\n',
  })
  expect((await readTrace('cancel')).header.golden?.description).toBe('first')
  expect((await promoteAs('--force', '--describe', 'second')).status).toBe(0)
  expect((await readTrace('cancel')).header.golden?.description).toBe('second')
})

it('shows what changes in the golden that it replaces: input, steps and answers', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const look = tool('look', { effect: 'read' }, async ({ id }: { id: string }) => statuses.shift() ?? id)
  const tell = tool('tell', { effect: 'write' }, async ({ words }: { words: string }) => words.length)
  const statuses = ['packed', 'packed', 'sent']
  const agent = async (input: { id: string; isTold?: boolean }): Promise<string> => {
    const status = await look({ id: 'ord_1' })
    if (input.isTold === true) await tell({ words: status })
    return 'done'
  }
  const promoteLatest = (...options: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(project.path, ['promote', 'latest', '--name', 'look', '--yes', '--no-replay', ...options])

  const first = await record(store, { input: { id: 'ord_1' } }, agent)
  expect((await promoteLatest()).stdout).not.toContain('Replaces')
  const second = await record(store, { input: { id: 'ord_1' } }, agent)
  const same = await promoteLatest('--force')
  expect(same.stdout).toContain(`Replaces the golden promoted from ${first}, with the same input, steps and answers.\n`)

  await record(store, { input: { id: 'ord_2', isTold: true } }, agent)
  const { stdout } = await promoteLatest('--force')
  expect(withoutTimes(stdout.slice(stdout.indexOf('Replaces')))).toMatchInlineSnapshot(`
    "Replaces the golden promoted from YYYYMMDD-hhmmssmmm-xxxxxxxx
      input was  {"id":"ord_1"}
      input is   {"id":"ord_2","isTold":true}
      steps      1, now 2
      answers    other ones at step 1
    - 1       tool      look({"id":"ord_1"}) → "packed"
    + 1       tool      look({"id":"ord_1"}) → "sent"
    + 2       tool      tell({"words":"sent"}) → 4
    Wrote golden-traces/look.jsonl.
    "
  `)

  await record(store, { input: { id: 'ord_1' } }, agent)
  const json = JSON.parse((await promoteLatest('--force', '--json')).stdout) as { readonly replaces: object }
  expect(json.replaces).toMatchObject({
    input: { was: { id: 'ord_2', isTold: true }, is: { id: 'ord_1' } },
    steps: { was: 2, is: 1 },
    changed: { was: [2], is: [] },
    answers: [1],
  })
  expect(second).not.toBe(first)

  await project.write('golden-traces/look.jsonl', 'no golden\n')
  expect((await promoteLatest('--force')).stdout).toContain('Replaces a golden that cannot be read: golden-traces/look.jsonl')
})

it('refuses an unknown run', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  expect(await runCommand(project.path, ['promote', '19990101-000000-00000000', '--name', 'x', '--yes'])).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'There is no golden trace "19990101-000000-00000000" in golden-traces, and no recording with that id in .goldenrun/runs. ' +
      `The nearest: ${id}. To see all traces: npx goldenrun list\n`,
  })
  expect(await runCommand(project.path, ['promote', 'latest', '--name', 'x', '--yes', '--store', 'elsewhere'])).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'There is no recording in elsewhere. ' +
      'Record a run of your agent with createRecorder, or pass the directory of its recordings: --store <dir>\n',
  })
})

it('refuses a run whose process was killed, and takes it with --allow-unfinished', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await runNode(project.path, [fileURLToPath(new URL('../support/crashing-agent.ts', import.meta.url)), store])

  const refused = await runCommand(project.path, ['promote', 'latest', '--name', 'crash', '--yes'])
  expect({ ...refused, stderr: withoutTimes(refused.stderr) }).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'Cannot promote YYYYMMDD-hhmmssmmm-xxxxxxxx: it did not end: the process died, or the run is still going. In flight: step 2 (cancel_order). ' +
      'Promote a run that ended, or promote this one without an expected outcome: --allow-unfinished, { allowUnfinished: true }.\n',
  })
  expect((await runCommand(project.path, ['promote', 'latest', '--name', 'crash', '--yes', '--allow-unfinished'])).status).toBe(0)
  expect((await readTrace('crash')).steps).toHaveLength(2)
})

it.each<readonly [what: string, options: readonly string[], message: string]>([
  ['a name that leads elsewhere', ['--name', '../x'], 'A golden trace cannot be named "../x": it leads out of the folder (..). '],
  [
    'an incident that cannot be told',
    ['--name', 'x', '--incident'],
    'Cannot promote YYYYMMDD-hhmmssmmm-xxxxxxxx: it repeats no side effect, ',
  ],
  [
    'an incident at a step that is not there',
    ['--name', 'x', '--incident', '9'],
    'Cannot promote YYYYMMDD-hhmmssmmm-xxxxxxxx: it has no step 9. ',
  ],
  [
    'answers that are not there',
    ['--name', 'x', '--incident', '2', '--answers', 'none.json'],
    'Cannot read the answers from none.json: there is no such file. It has to contain a JSON object with ' +
      'answers by the name of a tool or a host, such as { "find_refund": { "refunds": [] } }.\n',
  ],
  [
    'answers that are not JSON',
    ['--name', 'x', '--incident', '2', '--answers', 'bad.json'],
    'Cannot read the answers from bad.json: it is not JSON (Expected ',
  ],
  [
    'answers that are no object',
    ['--name', 'x', '--incident', '2', '--answers', 'list.json'],
    'Cannot read the answers from list.json: it is not an object. ',
  ],
  ['no name', [], "error: required option '--name <name>' not specified\n(goldenrun --help lists all commands)\n"],
  [
    'a step that is no number',
    ['--name', 'x', '--incident', 'latest'],
    "error: option '--incident [step]' argument 'latest' is invalid. It has to be a step number, as `goldenrun show` prints it.\n",
  ],
  [
    'a check that is no matcher',
    ['--name', 'x', '--incident', '2', '--check', 'find_refund'],
    "error: option '--check <matcher>' argument 'find_refund' is invalid. It has to be a matcher with its arguments, such as toHaveCalledTool(\"find_refund\"). Matchers are: toHaveCalledTools,",
  ],
  [
    'a check whose arguments are not JSON',
    ['--name', 'x', '--incident', '2', '--check', 'toHaveCalledTool(find_refund)'],
    "error: option '--check <matcher>' argument 'toHaveCalledTool(find_refund)' is invalid. Its arguments have to be JSON (",
  ],
  ['a check without an incident', ['--name', 'x', '--check', 'toHaveCalledTool("find_refund")'], 'error: --check requires --incident\n'],
])('refuses %s', async (_, options, message) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  await project.write('bad.json', '{ find_refund: 1 }')
  await project.write('list.json', '[]')
  const { status, stdout, stderr } = await runCommand(project.path, ['promote', 'latest', '--yes', ...options])
  expect(withoutTimes(stderr).slice(0, message.length)).toBe(message)
  expect(stdout).toBe('')
  expect(status).toBe(2)
  await expect(listGoldens(project)).rejects.toThrow('ENOENT')
})

it.each([
  ['y\n', true],
  ['YES\n', true],
  ['\n', false],
  ['no\n', false],
  ['yesterday\n', false],
  ['', false],
])('takes the answer %j for %j', async (answer, yes) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const confirmed = confirm('Keep it?', input, output)
  input.end(answer)
  expect(await confirmed).toBe(yes)
  output.end()
  expect(await text(output)).toContain('Keep it? [y/N] ')
})

function listGoldens(project: TemporaryDirectory): Promise<string> {
  return project.read('golden-traces/x.jsonl')
}

const agentModule = `
import { tool } from ${JSON.stringify(pathToFileURL(`${await buildPackage()}/dist/index.js`).href)}

const send = tool('send', {}, async (args: object) => Object.keys(args).length)

export async function supportAgent({ address }: { address: string }): Promise<number> {
  return await send(process.env['LOOKS_INSIDE'] === 'yes' ? { isOurs: address.endsWith('@shop.example') } : { address })
}
`

async function recordConfigured(project: TemporaryDirectory): Promise<void> {
  const file = await project.write('agent.ts', agentModule)
  await project.write('goldenrun.config.mjs', "export default { agents: { support: './agent.ts#supportAgent' } }")
  const { supportAgent }: { supportAgent: (input: { address: string }) => Promise<number> } = await import(/* @vite-ignore */ file)
  await record(store, { input: { address: 'anna@shop.example' } }, supportAgent)
}

it('replays the redacted golden with the agent that the config names, before it keeps it', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordConfigured(project)
  const { status, stdout, stderr } = await runCommand(project.path, ['promote', 'latest', '--name', 'sent', '--yes'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('  replays     without divergence, with the agent of goldenrun.config.ts\n')
})

it('keeps no golden that its agent does not repeat once it is redacted, unless told to', async () => {
  vi.stubEnv('LOOKS_INSIDE', 'yes')
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordConfigured(project)
  const { status, stdout, stderr } = await runCommand(project.path, ['promote', 'latest', '--name', 'looks-inside', '--yes'])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain('step 1 (send): input at args.isOurs: expected true, received false')
  expect(stderr).toContain('name public values in redact.keep')
  const unreplayed = await runCommand(project.path, ['promote', 'latest', '--name', 'looks-inside', '--yes', '--no-replay'])
  expect(unreplayed.status).toBe(0)
  vi.unstubAllEnvs()
})

it('says which agent of the config cannot be loaded', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordConfigured(project)
  await project.write('goldenrun.config.mjs', "export default { agents: { support: './agent.ts#other' } }")
  const { status, stderr } = await runCommand(project.path, ['promote', 'latest', '--name', 'sent', '--yes'])
  expect([status, stderr]).toEqual([
    2,
    'goldenrun.config.mjs: the field agents.support names "other" of ./agent.ts, which exports supportAgent.\n',
  ])
})

it('says which calls answered other runs, too', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const server = await listen(async (_request, response) => void response.end('"found"'))
  const recorder = createRecorder({ store, thread: false })
  const ids: string[] = []
  let shared: Promise<unknown> | undefined
  const agent = async (input: number): Promise<unknown> => {
    ids[input] = currentRun()?.id ?? ''
    return await (shared ??= fetch(server.url).then((response) => response.json()))
  }
  await Promise.all([0, 1].map((input) => recorder.run({ agent: 'support', input }, agent)))
  await recorder.close()
  await server.close()
  const [first = '', second = ''] = ids

  const { status, stdout } = await runCommand(project.path, ['promote', second, '--name', 'shared', '--yes'])
  expect(stdout).toMatch(new RegExp(`shared +127\\.0\\.0\\.1(:\\d+)?: step 1 of the run ${first} may also have answered this run`))
  expect(status).toBe(0)
})
