import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const key = randomBytes(32).toString('base64')
const env = { SECRETS_KEY: key }
const config = `export default { secrets: { store: './.goldenrun/secrets', key: process.env.SECRETS_KEY } }`
const sendEmail = tool('send_email', { effect: 'write' }, async ({ to }: { to: string }) => `sent to ${to}`)

async function record(project: TemporaryDirectory): Promise<string> {
  project.enter()
  await project.write('goldenrun.config.ts', config)
  const recorder = createRecorder({ thread: false, secrets: { store: '.goldenrun/secrets', key } })
  let id = ''
  const input = { ticket: 'My key is sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2.', phone: '+1 415 555 0134' }
  await recorder.run({ agent: 'support', input }, async () => {
    id = currentRun()?.id ?? ''
    return sendEmail({ to: 'ada@shop.test' })
  })
  await recorder.close()
  return id
}

const audit = '.goldenrun/secrets/audit.jsonl'

it('shows what redaction took out, once the audit log says who asked', async () => {
  await using project = await createTemporaryDirectory()
  const run = await record(project)
  const redacted = await runCommand(project.path, ['show', run, '--full'], env)
  expect(redacted.stdout).not.toMatch(/ada@shop\.test|415 555 0134/)
  expect(existsSync(audit)).toBe(false)

  const before = Date.now()
  const { status, stdout, stderr } = await runCommand(project.path, ['show', run, '--full', '--reveal'], env)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('send_email({"to":"ada@shop.test"})')
  expect(stdout).toContain('sent to ada@shop.test')
  expect(stdout).toContain('+1 415 555 0134')
  expect(stdout).not.toContain('a1b2c3d4')
  const json = await runCommand(project.path, ['show', run, '--reveal', '--json'], env)
  expect(JSON.parse(json.stdout)).toMatchObject({
    header: { input: { phone: '+1 415 555 0134' } },
    end: { output: 'sent to ada@shop.test' },
  })

  const lines = readFileSync(audit, 'utf8').trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { at: string; who: string; run: string })
  expect(entries.map(({ who, run: of }) => [who, of])).toEqual([1, 2].map(() => [`${userInfo().username}@${hostname()}`, run]))
  for (const { at } of entries) expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
})

it('reveals nothing where the audit log cannot be written', async () => {
  await using project = await createTemporaryDirectory()
  const run = await record(project)
  mkdirSync(audit)
  const { status, stdout, stderr } = await runCommand(project.path, ['show', run, '--reveal'], env)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Nothing of .* is revealed, because the store of secrets cannot be used: EISDIR/)
})

it('says what is missing', async () => {
  await using project = await createTemporaryDirectory()
  const run = await record(project)
  const reveal = (
    name: string,
    given: Readonly<Record<string, string>> = env,
  ): Promise<{ status: number; stdout: string; stderr: string }> => runCommand(project.path, ['show', name, '--reveal'], given)
  const withoutKey = await reveal(run, {})
  expect([withoutKey.status, withoutKey.stdout]).toEqual([2, ''])
  expect(withoutKey.stderr).toContain('the option "secrets" has no key.')

  const otherKey = await reveal(run, { SECRETS_KEY: randomBytes(32).toString('hex') })
  expect([otherKey.status, otherKey.stdout]).toEqual([2, ''])
  expect(otherKey.stderr).toContain('which is not among the given keys')

  await promote(await readTrace(run, { store: '.goldenrun/runs' }), { name: 'email' })
  expect((await reveal('email')).stderr).toContain('"email" is a golden trace, and only recordings can be revealed.')

  rmSync(`.goldenrun/secrets/${run}.secrets`)
  expect((await reveal(run)).stderr).toContain(`No secrets of ${run} are kept:`)

  await project.write('goldenrun.config.ts', 'export default {}')
  const unconfigured = await reveal(run)
  expect([unconfigured.status, unconfigured.stdout]).toEqual([2, ''])
  expect(unconfigured.stderr).toContain('No secrets are kept: goldenrun.config.ts has no "secrets".')
})

it('removes secrets with gc, without the key', async () => {
  await using project = await createTemporaryDirectory()
  const run = await record(project)
  expect(existsSync(`.goldenrun/secrets/${run}.secrets`)).toBe(true)
  const { status } = await runCommand(project.path, ['gc', '--successful', '0ms', '--delete'])
  expect([status, existsSync(`.goldenrun/secrets/${run}.secrets`)]).toEqual([0, false])
})
