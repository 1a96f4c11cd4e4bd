import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { tool } from '../../src/run/tool.ts'
import { runCommand, spawnCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const source = new URL('../../src/index.ts', import.meta.url).pathname

/** An agent as a module: it refunds, and where that fails does what `then` says. */
const agentWith = (then: string): string => `import { tool } from '${source}'
const look = tool('look', { effect: 'read' }, async (id) => ({ id }))
const refund = tool('refund', { effect: 'write' }, async (id) => ({ id }))
const audit = tool('audit', { effect: 'write' }, async (id) => ({ id }))
export async function desk(id) {
  await look(id)
  const done = await refund(id).catch(() => ${then})
  await audit(id)
  return done
}
`
const buggy = agentWith('refund(id)')
const fixed = agentWith('({ status: "pending" })')

const config = `export default { agents: { desk: './agent.mjs#desk' } }\n`

/** A project in which a refund failed after it was booked, and was made again. */
async function createProject(agent: string): Promise<TemporaryDirectory> {
  const project = await createTemporaryDirectory()
  project.enter()
  await project.write('package.json', '{ "type": "module" }')
  await project.write('agent.mjs', agent)
  await project.write('goldenrun.config.mjs', config)
  const recorder = createRecorder({ store: '.goldenrun/runs', thread: false })
  let refunds = 0
  const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))
  const refund = tool('refund', { effect: 'write' }, async (id: string) => {
    refunds += 1
    if (refunds === 1) throw new Error('the connection was lost')
    return { id }
  })
  const audit = tool('audit', { effect: 'write' }, async (id: string) => ({ id }))
  await recorder.run({ agent: 'desk', input: 'ord_1' }, async (id) => {
    await look(id)
    const done = await refund(id).catch(() => refund(id))
    await audit(id)
    return done
  })
  await recorder.close()
  return project
}

const promoted = ['promote', 'latest', '--name', 'refund-twice', '--incident', '--yes']

function git(project: TemporaryDirectory, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com']
  return execFileSync('git', [...identity, ...args], { cwd: project.path, encoding: 'utf8' })
}

it('holds the agent as it is against the golden, and says that it does it again', async () => {
  await using project = await createProject(buggy)
  const { status, stdout, stderr } = await runCommand(project.path, promoted)
  expect([stderr, status]).toEqual(['', 0])
  expect(stdout).toContain('  verified    the agent of goldenrun.config.ts reproduces it\n')
})

it('refuses an incident that the agent does not do again, says what it saw, and writes nothing', async () => {
  await using project = await createProject(fixed)
  const { status, stdout, stderr } = await runCommand(project.path, promoted)
  expect([stdout, status]).toEqual(['', 2])
  expect(stderr).toContain(
    'the agent does not reproduce the incident, so nothing shows that this golden finds the bug. The report of its replay:\n\n  Held "refund-twice": exercised at step 2;',
  )
  expect(stderr).toContain('--witness <git ref>')
  expect(existsSync(project.resolve('golden-traces'))).toBe(false)
})

it('takes it all the same with --allow-unverified-incident, and says so', async () => {
  await using project = await createProject(fixed)
  const { status, stdout } = await runCommand(project.path, [...promoted, '--allow-unverified-incident'])
  expect(status).toBe(0)
  expect(stdout).toContain('  verified    no (--allow-unverified-incident): nothing shows that this golden finds the bug\n')
})

it('counts a failed check as the incident', async () => {
  await using project = await createProject(agentWith('({ status: "lost" })'))
  const check = ['--check', 'toHaveOutcome({"output":{"status":"pending"}})']
  const { status, stdout } = await runCommand(project.path, [...promoted, ...check])
  expect(status).toBe(0)
  expect(stdout).toContain('  verified    the agent of goldenrun.config.ts fails the check\n')
})

it('takes a check of what must not happen', async () => {
  await using project = await createProject(buggy)
  const check = ['--check', 'not.toHaveOutcome({"output":{"id":"ord_1"}})']
  const { status, stdout, stderr } = await runCommand(project.path, [...promoted, ...check])
  expect([stderr, status]).toEqual(['', 0])
  expect(stdout).toContain('passes not.toHaveOutcome({"output":{"id":"ord_1"}})')
  expect((await readTrace('refund-twice')).header.golden?.expect).toMatchObject({
    checks: [{ matcher: 'toHaveOutcome', args: [{ output: { id: 'ord_1' } }], not: true }],
  })
  await project.write('agent.mjs', fixed)
  const green = await spawnCommand(project.path, ['replay', 'refund-twice'])
  expect([green.stdout, green.status]).toEqual([expect.stringContaining('1 trace replayed: 1 held'), 0])
  await project.write('agent.mjs', agentWith('({ id })'))
  const red = await spawnCommand(project.path, ['replay', 'refund-twice'])
  expect(red.status).toBe(1)
  expect(red.stdout).toContain('does not pass not.toHaveOutcome({')
})

it.each([
  ['toHaveSideEffects([])', 'and an agent that does nothing at all passes toHaveSideEffects([]).'],
  ['not.toHaveCalledTool("refund")', 'and an agent that does nothing at all passes not.toHaveCalledTool("refund").'],
  ['toHaveCalledTool("look")', 'and an agent that stops after step 3 passes toHaveCalledTool("look").'],
  ['not.toHaveOutcome({"output":{"id":"ord_1"}})', 'and an agent that does nothing at all passes not.toHaveOutcome'],
  ['toHaveOutcome({"reply":"No."})', 'reply" is not known. It takes: status, output, error'],
])('refuses %s as the check of an incident, and writes nothing', async (check, words) => {
  await using project = await createProject(buggy)
  const { status, stdout, stderr } = await runCommand(project.path, [
    ...promoted.slice(0, -2),
    '--incident',
    '4',
    '--check',
    check,
    '--yes',
  ])
  expect([stdout, status]).toEqual(['', 2])
  expect(stderr.replaceAll('\n', ' ')).toContain(words)
  expect(existsSync(project.resolve('golden-traces'))).toBe(false)
})

it('asks the code of a commit that has the bug, with a config that came later, and leaves no worktree', async () => {
  await using project = await createProject(buggy)
  git(project, 'init', '--quiet')
  git(project, 'add', 'agent.mjs', 'package.json')
  git(project, 'commit', '--quiet', '-m', 'the bug')
  git(project, 'tag', 'with-the-bug')
  await project.write('agent.mjs', fixed)
  const refused = await runCommand(project.path, promoted)
  expect(refused.status).toBe(2)
  const { status, stdout, stderr } = await runCommand(project.path, [...promoted, '--witness', 'with-the-bug'])
  expect([stderr, status]).toEqual(['', 0])
  expect(stdout).toContain('  verified    the agent of with-the-bug reproduces it\n')
  expect(git(project, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
})

it('refuses a commit whose agent does not do it either, and one that is not there', async () => {
  await using project = await createProject(fixed)
  git(project, 'init', '--quiet')
  git(project, 'add', '-A')
  git(project, 'commit', '--quiet', '-m', 'the fix')
  const { status, stderr } = await runCommand(project.path, [...promoted, '--witness', 'HEAD'])
  expect(status).toBe(2)
  expect(stderr).toContain('the agent of HEAD does not reproduce the incident')
  const missing = await runCommand(project.path, [...promoted, '--witness', 'no-such-tag'])
  expect(missing.stderr).toContain('Cannot check out no-such-tag for --witness: ')
  expect(git(project, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
})

/** The command that a report advises, as a POSIX shell reads it. */
function advised(report: string): readonly string[] {
  const [, command = ''] = /^ {2}npx goldenrun (.*)$/m.exec(report) ?? []
  return execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

it('holds once the advice of the report was followed with a fixed agent', async () => {
  await using project = await createProject(buggy)
  const described = ['--describe', "The refund's answer was lost", '--trigger', '2', '--check', 'toHaveOutcome({"status":"returned"})']
  // In a process of its own: this one loads the agent once it is changed.
  await spawnCommand(project.path, [...promoted, ...described])
  await project.write(
    'agent.mjs',
    agentWith("fetch('http://127.0.0.1:59999/v1/pending', { method: 'POST', body: id }).then(() => 'asked')"),
  )
  const write = await runCommand(project.path, ['replay'])
  expect(write.stdout).toContain('makes a write that the golden does not allow')
  const allowing = advised(write.stdout)
  expect(allowing).toContain('POST 127.0.0.1:59999/v1/pending')
  const allowed = await runCommand(project.path, [...allowing, '--yes'])
  expect([allowed.stderr, allowed.status]).toEqual(['', 0])
  expect(allowed.stdout).toContain('  verified    no (the golden that it replaces is of the same incident)')

  const unanswered = await runCommand(project.path, ['replay'])
  await project.write('answers.json', '{ "127.0.0.1:59999": { "status": 202, "json": {} } }')
  const answered = await runCommand(project.path, [...advised(unanswered.stdout), '--yes'])
  expect([answered.stderr, answered.status]).toEqual(['', 0])
  const held = await runCommand(project.path, ['replay'])
  const evidence = 'exercised at step 2; departs after it: 127.0.0.1:59999 instead of refund'
  expect([held.stdout, held.status]).toEqual([`Held refund-twice: ${evidence}.\n\n1 trace replayed: 1 held.\n`, 0])
  expect((await readTrace('refund-twice')).header.golden).toMatchObject({
    description: "The refund's answer was lost",
    expect: { trigger: 2, at: 3, allowWrites: ['audit', 'POST 127.0.0.1:59999/v1/pending'], checks: [{ matcher: 'toHaveOutcome' }] },
  })
})

it('takes a trigger, writes that are allowed and tools that run', async () => {
  await using project = await createProject(buggy)
  const options = ['--trigger', '2', '--allow-write', 'notify', '--run-tool', 'look']
  const { status, stderr } = await runCommand(project.path, [...promoted, ...options])
  expect([stderr, status]).toEqual(['', 0])
  expect((await readTrace('refund-twice')).header.golden?.expect).toEqual({
    replay: 'departs',
    trigger: 2,
    at: 3,
    tools: { look: 'run' },
    allowWrites: ['audit', 'notify'],
  })
})

it.each(['--trigger 1', '--allow-write x', '--run-tool x', '--witness HEAD', '--allow-unverified-incident'])(
  'refuses %s without --incident',
  async (option) => {
    await using project = await createProject(buggy)
    const { status, stderr } = await runCommand(project.path, ['promote', 'latest', '--name', 'x', '--yes', ...option.split(' ')])
    expect(status).toBe(2)
    expect(stderr).toContain(`error: ${option.split(' ')[0]} requires --incident\n`)
  },
)
