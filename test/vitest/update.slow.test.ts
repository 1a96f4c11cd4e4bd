import { execSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSupportWorld } from '../../examples/support-agent/start-world.ts'

import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** A project with the golden of an ordinary run under so many names, and that of an incident. */
async function createProject(names: readonly string[]): Promise<{ readonly project: VitestProject; readonly golden: string }> {
  const { 'golden-traces/cancel-unshipped.jsonl': golden = '', ...files } = await supportProject()
  const goldens = names.map((name) => [`golden-traces/${name}.jsonl`, golden.replaceAll('cancel-unshipped', name)])
  return { project: await workspace.project({ ...files, ...Object.fromEntries(goldens) }), golden }
}

/** The lines that are new in a text. */
function newLines(before: string, after: string): string[] {
  const known = new Set(before.split('\n'))
  return after.split('\n').filter((line) => !known.has(line))
}

/** What a golden says of the runs that hold. */
function expectationOf(golden: string): unknown {
  return (JSON.parse(golden.split('\n')[0] ?? '') as { readonly golden: { readonly expect: unknown } }).golden.expect
}

const edit = [
  'src/tool-definitions.ts',
  'Cancel an order that has not been shipped yet.',
  'Cancel an order that is still in the house.',
] as const

it('mends two hundred goldens after one change of a tool, in a line or two each, and nothing else', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `cancel-${index}`)
  const { project, golden } = await createProject(names)
  execSync('git init --quiet && git add --all && git -c user.name=a -c user.email=a@example.org commit --quiet -m before', {
    cwd: project.path,
  })
  await project.edit(...edit)
  const args = ['run', 'cancel-', '--no-isolate', '--no-file-parallelism']
  const { output, status } = await project.vitest([...args, '-u'])
  expect(output.slice(output.indexOf(' 1 change'))).toMatchInlineSnapshot(`
    " 1 change accepted in 200 goldens:
       input of openai.chat, tools[*].function.description (200 goldens)
         - "Cancel an order that has not been shipped yet."
         + "Cancel an order that is still in the house."

     What the agent "support" is made of was not written down, because refund-twice does not hold.
         Goldens  200 rebased (200)"
  `)
  expect(status).toBe(0)
  const changed = execSync('git status --porcelain --untracked-files=no', { cwd: project.path, encoding: 'utf8' }).trim().split('\n')
  expect(changed.map((line) => line.trim().slice(2)).toSorted()).toEqual(
    [...names.map((name) => `golden-traces/${name}.jsonl`), 'src/tool-definitions.ts'].toSorted(),
  )
  for (const name of names) {
    const lines = newLines(golden.replaceAll('cancel-unshipped', name), await project.read(`golden-traces/${name}.jsonl`))
    expect(lines.length).toBeLessThanOrEqual(2)
    expect(lines[0]).toMatch(/"promotedFrom":"[\da-f-]+","rebasedAt":"\d{4}-[\d-]+T[\d:.]+Z"\}\}$/)
    expect(lines[0]?.replace(/,"rebasedAt":"[^"]+"/, '')).toBe(golden.replaceAll('cancel-unshipped', name).split('\n')[0])
  }
  expect((await project.vitest(args)).output).toContain('Goldens  200 held (200)')
}, 180_000)

it('rebases a golden of three hundred steps in the time that Vitest gives a test', async () => {
  const { project } = await createProject([])
  await project.write(
    'src/long.ts',
    `import { external } from 'goldenrun'
const ask = external('ask', async ({ question }) => 'Answer to ' + question)
export const long = async ({ steps }) => {
  const answers = []
  for (let step = 0; step < steps; step += 1) answers.push(await ask({ question: 'Kindly: ' + step, answers: answers.slice(-3) }))
  return answers.length
}
`,
  )
  await project.write('goldenrun.config.ts', "export default { agents: { long: './src/long.ts#long' } }\n")
  const test = ownTest('long', 'expect(run).toReplayWithoutDivergence()', "'long', long, { input: { steps: 300 } }")
  await project.write('test/long.test.ts', test.replace("{ supportAgent } from '../src/agent.ts'", "{ long } from '../src/long.ts'"))
  expect((await project.vitest(['run', 'long'], { GOLDENRUN: 'record' })).output).toContain('Goldens  1 recorded (1)')
  await project.edit('src/long.ts', 'Kindly: ', 'Briefly: ')
  const { output, status } = await project.vitest(['run', 'long', '-u'])
  expect(output).toContain('Goldens  1 rebased (1)')
  expect(status).toBe(0)
  expect((await project.vitest(['run', 'long'])).output).toContain('Goldens  1 held (1)')
}, 60_000)

it('names what needs other answers, with the command that records it anew, and writes only the rest', async () => {
  const { project, golden } = await createProject(['cancel-unshipped', 'cancel-other'])
  await project.edit(...edit)
  await project.write(
    'src/other.ts',
    `import { getOrder } from './tools.ts'
import { supportAgent } from './agent.ts'
export async function other(input) {
  await getOrder({ order_id: 'ord_7' })
  return supportAgent(input)
}
`,
  )
  await project.edit('golden-traces/cancel-other.jsonl', '"agent":"support"', '"agent":"other"')
  await project.edit('goldenrun.config.ts', 'agents: {', "agents: { other: './src/other.ts#other',")
  const before = await project.read('golden-traces/refund-twice.jsonl')
  const { output, status } = await project.vitest(['run', '--no-file-parallelism', '-u'])
  expect(output.slice(output.indexOf(' 1 change'))).toMatchInlineSnapshot(`
    " 1 change accepted in 2 goldens:
       input of openai.chat, tools[*].function.description (2 goldens)
         - "Cancel an order that has not been shipped yet."
         + "Cancel an order that is still in the house."

     Not rebased, 1 golden:
       cancel-other: the call before the first step (unexpected call) needs answers that were not recorded
         To record it again: GOLDENRUN=record npx vitest run golden-traces/cancel-other.jsonl
         Goldens  1 not held | 1 repeated | 1 rebased (3)"
  `)
  expect(status).toBe(1)
  // That of the incident keeps what makes it one, and is red as it was.
  const after = await project.read('golden-traces/refund-twice.jsonl')
  expect(after).not.toBe(before)
  expect(expectationOf(after)).toEqual(expectationOf(before))
  expect(newLines(golden, await project.read('golden-traces/cancel-unshipped.jsonl'))).toHaveLength(2)
})

it.each([
  ['without -u', [], {}],
  ['in CI', ['-u'], { CI: 'true' }],
])('writes nothing %s, and says how to', async (_, args, env) => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.edit(...edit)
  const { output } = await project.vitest(['run', 'cancel', ...args], env)
  expect(output).toContain('To accept the new input: npx vitest run golden-traces/cancel-unshipped.jsonl -u\n')
  expect(output).toContain('Goldens  1 not held (1)')
  expect(await project.read('golden-traces/cancel-unshipped.jsonl')).toBe(golden)
})

/** A test of the user's that asserts things of a golden's replay. */
const ownTest = (
  title: string,
  assertions: string,
  given = "'cancel-unshipped', supportAgent",
): string => `import { expect, it } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'
it('${title}', async () => {
  const run = await replay(${given})
  ${assertions}
})
`

const onlyOwn = ['run', 'test/', '-u', '--no-file-parallelism']

it('takes over what a test of the user asserts, once for all that do, and the rest of the test goes on with the rebased run', async () => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.edit(...edit)
  const assertions = "expect(run).toReplayWithoutDivergence()\n  expect(run).toHaveCalledTools(['get_order', 'cancel_order'])"
  await project.write('test/one.test.ts', ownTest('one', `${assertions}\n  expect(run.outcome.status).toBe('returned')`))
  await project.write('test/two.test.ts', ownTest('two', assertions))
  const red = await project.vitest(['run', 'test/one.test.ts'])
  expect(red.output).toContain('To accept the new input: npx vitest run test/one.test.ts -u\n')
  expect(red.output).toContain('To stop there in a debugger: npx goldenrun debug cancel-unshipped --at 1\n')
  expect(red.output).toContain('Goldens  1 not held (1)')
  const { output, status } = await project.vitest(onlyOwn)
  expect(output.slice(output.indexOf(' 1 change'))).toMatchInlineSnapshot(`
    " 1 change accepted in 1 golden:
       input of openai.chat, tools[*].function.description (1 golden)
         - "Cancel an order that has not been shipped yet."
         + "Cancel an order that is still in the house."

     What the agent "support" is made of was not written down, because refund-twice does not hold.
         Goldens  1 rebased (1)"
  `)
  expect(status).toBe(0)
  expect(newLines(golden, await project.read('golden-traces/cancel-unshipped.jsonl'))).toHaveLength(2)
  const green = await project.vitest(['run', 'cancel-unshipped', 'test/'])
  expect(green.output).toContain('Tests  3 passed (3)')
  expect(green.output).toContain('Goldens  1 held (1)')
}, 60_000)

it.each([
  ['is asserted to differ', 'expect(run).not.toReplayWithoutDivergence()', undefined, 0, undefined],
  ['is not asserted to hold', 'expect(run.divergences).toHaveLength(1)', undefined, 0, undefined],
  [
    'has options of its own',
    'expect(run).toReplayWithoutDivergence()',
    "'cancel-unshipped', supportAgent, { live: ['x.test'] }",
    1,
    'options of its own (live)',
  ],
])('writes nothing where a run of a test %s', async (_, assertions, given, expected, reason) => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.edit(...edit)
  await project.write('test/own.test.ts', ownTest('own', assertions, given))
  await project.write('tmp/readme', '')
  const { output, status } = await project.vitest(onlyOwn, { TMPDIR: path.join(project.path, 'tmp') })
  expect((await readdir(path.join(project.path, 'tmp'))).filter((name) => name.startsWith('goldenrun-'))).toEqual([])
  expect(status).toBe(expected)
  expect(await project.read('golden-traces/cancel-unshipped.jsonl')).toBe(golden)
  if (reason === undefined) return
  expect(output).toContain(reason)
  // What has just been refused is not advised.
  expect(output).toContain('To accept the new input, record the run again: GOLDENRUN=record npx vitest run test/own.test.ts\n')
})

it('names tests that disagree, writes nothing, and ends red', async () => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.edit(...edit)
  await project.write('test/one.test.ts', ownTest('one', 'expect(run).toReplayWithoutDivergence()'))
  const other = ownTest('other', 'expect(run).toReplayWithoutDivergence()').replace('../src/agent.ts', '../src/other.ts')
  await project.write('test/other.test.ts', other)
  await project.write(
    'src/other.ts',
    `import { supportAgent as agent } from './agent.ts'
export const supportAgent = async (input) => ({ ...(await agent(input)), more: true })
`,
  )
  const { output, status } = await project.vitest(onlyOwn)
  expect(output.slice(output.indexOf(' Not rebased'))).toMatchInlineSnapshot(`
    " Not rebased because their tests disagree, 1 golden:
       cancel-unshipped
         test/one.test.ts > one: would accept 1 change
         test/other.test.ts > other: would accept 2 changes
         Give each test its own golden.
         Goldens  1 not held (1)

    Tests disagree on the changes to cancel-unshipped, so nothing was written there."
  `)
  expect(status).toBe(1)
  expect(await project.read('golden-traces/cancel-unshipped.jsonl')).toBe(golden)
})

it('names a test that would rebase a golden in two ways, and writes neither', async () => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.edit(...edit)
  const other = 'expect(run).toReplayWithoutDivergence()\n  const more = async (input) => ({ ...(await supportAgent(input)), more: true })'
  await project.write(
    'test/own.test.ts',
    ownTest('own', `${other}\n  expect(await replay('cancel-unshipped', more)).toReplayWithoutDivergence()`),
  )
  const { output, status } = await project.vitest(onlyOwn)
  expect(output).toContain('test/own.test.ts > own: would accept 1 change\n')
  expect(output).toContain('test/own.test.ts > own: would accept 2 changes\n')
  expect(status).toBe(1)
  expect(await project.read('golden-traces/cancel-unshipped.jsonl')).toBe(golden)
})

it('has no -u to advise without the plugin, and says how the golden is recorded', async () => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.edit(...edit)
  await project.write('vitest.config.ts', 'export default {}\n')
  await project.write('test/own.test.ts', ownTest('own', 'expect(run).toReplayWithoutDivergence()'))
  const { output, status } = await project.vitest(['run', 'test/', '-u'])
  expect(output).toContain('To accept the new input, record the run again: GOLDENRUN=record npx vitest run test/own.test.ts\n')
  expect(status).toBe(1)
  expect(await project.read('golden-traces/cancel-unshipped.jsonl')).toBe(golden)
})

it('counts the goldens that tests describe', async () => {
  const { project } = await createProject(['cancel-unshipped'])
  await project.write(
    'test/all.test.ts',
    `import { expect, it } from 'vitest'
import { describeGolden } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'
describeGolden('*', supportAgent, (golden, run) => {
  it('holds', async () => {
    await expect(run).toReplayWithoutDivergence()
  })
})
`,
  )
  await project.edit(...edit)
  const red = await project.vitest(['run', 'test/'])
  expect(red.output).toContain('Goldens  1 not held | 1 repeated (2)')
  const { output } = await project.vitest(['run', 'test/', '-u'])
  expect(output).toContain('Goldens  1 repeated | 1 rebased (2)')
  expect(output).toContain('accepted in 2 goldens')
})

it('counts the last attempt at a test that is tried again', async () => {
  const { project } = await createProject(['cancel-unshipped'])
  await project.write(
    'test/own.test.ts',
    ownTest(
      'own',
      "if (globalThis.tried === undefined) { globalThis.tried = 1; expect(await replay('cancel-unshipped', async () => 'no')).toReplayWithoutDivergence() }\n  expect(run).toReplayWithoutDivergence()",
    ),
  )
  const { output } = await project.vitest(['run', 'test/', '--retry', '1'])
  expect(output).toContain('Goldens  1 held (1)')
})

it('says that a golden took longer than its limit, which is not that of other tests', async () => {
  const { project } = await createProject(['cancel-unshipped'])
  await project.edit('vitest.config.ts', 'goldenrun()', 'goldenrun({ timeout: 3000 })')
  await project.edit('vitest.config.ts', 'test: {', 'test: { testTimeout: 1,')
  expect((await project.vitest(['run', 'cancel'])).output).toContain('Goldens  1 held (1)')
  await project.edit('goldenrun.config.ts', './src/agent.ts#supportAgent', './src/slow.ts#slow')
  await project.write(
    'src/slow.ts',
    `import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
export const slow = async () => {
  for (let round = 0; round < 100; round += 1) await promisify(pbkdf2)('a', 'b', 100_000, 64, 'sha512')
}
`,
  )
  const { output } = await project.vitest(['run', 'cancel'])
  expect(output).toContain(
    'The replay of golden-traces/cancel-unshipped.jsonl took longer than 3 s of real time, which is the limit for golden files. ' +
      'If the agent needs that long to compute, raise the limit: goldenrun({ timeout: 6000 }) in vitest.config.ts.',
  )
  expect(output).toContain('Goldens  1 could not run (1)')
}, 60_000)

it('runs the agent live and promotes what it did', async () => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.edit(...edit)
  await using world = await startSupportWorld()
  const env = { ...world.env, GOLDENRUN: 'record' }
  const { output, status } = await project.vitest(['run', 'cancel'], env)
  expect(output).toContain('Goldens  1 recorded (1)')
  expect(status).toBe(0)
  const header = (text: string) => JSON.parse(text.split('\n')[0] ?? '') as { id: string; input: object; golden: Record<string, unknown> }
  const [old, now] = [header(golden), header(await project.read('golden-traces/cancel-unshipped.jsonl'))]
  expect(now.input).toEqual(old.input)
  expect(now.golden).toEqual({ ...old.golden, promotedFrom: now.id, promotedAt: expect.any(String), variables: { OPENAI_API_KEY: null } })
  expect(now.id).not.toBe(old.id)
  await world.close()
  expect((await project.vitest(['run', 'cancel'], world.env)).output).toContain('Goldens  1 held (1)')
  // No world any more: the live run fails, and the golden stays.
  const failed = await project.vitest(['run', 'cancel'], env)
  expect(failed.output).toContain('The live run of "cancel-unshipped" failed, so its golden is unchanged: ')
  expect(header(await project.read('golden-traces/cancel-unshipped.jsonl')).id).toBe(now.id)
}, 60_000)

it('records a golden that a test of the user names', async () => {
  const { project, golden } = await createProject(['cancel-unshipped'])
  await project.write(
    'test/own.test.ts',
    `import { expect, it } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'
it('holds', async () => {
  await expect(replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence()
})
`,
  )
  await using world = await startSupportWorld()
  const { output } = await project.vitest(['run', 'own'], { ...world.env, GOLDENRUN: 'record' })
  expect(output).toContain('Tests  1 passed (1)')
  expect(newLines(golden, await project.read('golden-traces/cancel-unshipped.jsonl')).length).toBeGreaterThan(2)
})

it('records no incident, and not in CI, and knows no other mode', async () => {
  const { project } = await createProject([])
  const messages = [
    ['record', {}, '"refund-twice" is the golden of an incident: a successful run would replace it.'],
    ['record', { CI: '1' }, 'GOLDENRUN=record writes goldens, which is not allowed in CI (CI is set).'],
    ['rerun', {}, 'GOLDENRUN is "rerun", but has to be "replay" (the default) or "record".'],
  ] as const
  const before = await project.read('golden-traces/refund-twice.jsonl')
  for (const [mode, env, message] of messages) {
    const { output, status } = await project.vitest(['run'], { ...env, GOLDENRUN: mode })
    expect(output).toContain(message)
    expect(status).toBe(1)
  }
  expect(await project.read('golden-traces/refund-twice.jsonl')).toBe(before)
})
