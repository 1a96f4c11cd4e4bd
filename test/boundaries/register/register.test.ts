import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type CommandResult, runNode } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

const register = new URL('../../../src/register.ts', import.meta.url).href

function runProbe(...options: readonly string[]): Promise<CommandResult> {
  const program = fileURLToPath(new URL('programs/probe.ts', import.meta.url))
  return runNode(process.cwd(), [...options, program])
}

it('reaches what modules take hold of when they load, and says nothing', async () => {
  const { stdout, stderr } = await runProbe('--import', register)
  expect([stderr, JSON.parse(stdout)]).toEqual(['', { commonJs: [], modules: [] }])
})

it('is needed for what docs/doors.md says it is', async () => {
  const { stdout } = await runProbe()
  expect(JSON.parse(stdout)).toEqual({
    commonJs: [
      'randomUUID of node:crypto',
      'randomUUID of node:crypto, bound',
      'randomUUID of the global crypto, bound',
      'randomBytes of node:crypto',
      'randomInt of node:crypto',
      'randomFillSync of node:crypto',
      'Math.random',
      'Date.now',
      'Date',
      'a subclass of Date',
      'process.hrtime',
      'process.hrtime.bigint',
      'process.uptime',
      'performance.now',
      'format of Intl.DateTimeFormat',
      'setTimeout of node:timers/promises',
      'setImmediate of node:timers/promises',
      'setTimeout of node:timers',
      'setTimeout',
      'promisify(setTimeout)',
      'AbortSignal.timeout, bound',
    ],
    modules: ['Date.now', 'Date'],
  })
})

it('keeps the doors open when the last recorder is closed', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = new URL('../../../src/record/recorder.ts', import.meta.url).href
  const agent = await directory.write(
    'agent.mjs',
    `import { createRecorder } from ${JSON.stringify(recorder)}
     const { setTimeout, Date, fetch } = globalThis
     await createRecorder({ store: 'runs' }).close()
     console.log(setTimeout === globalThis.setTimeout, Date === globalThis.Date, fetch === globalThis.fetch)`,
  )
  expect(await runNode(directory.path, ['--import', register, agent])).toEqual({ status: 0, stdout: 'true true true\n', stderr: '' })
})

it('says what the program has locked, and leaves it as it is', async () => {
  await using directory = await createTemporaryDirectory()
  const lock = await directory.write(
    'lock.mjs',
    'Object.freeze(Math); Object.defineProperty(performance.constructor.prototype, "now", { writable: false, configurable: false })',
  )
  const agent = await directory.write('agent.mjs', 'console.log(Math.random() < 1, performance.now() > 0)')
  const { stdout, stderr, status } = await runNode(directory.path, ['--import', lock, '--import', register, agent])
  expect([status, stdout, stderr.split('\n').toSorted()]).toEqual([
    0,
    'true true\n',
    [
      '',
      'goldenrun/register: Math.random is locked by the program, so what it gives belongs to no run.',
      'goldenrun/register: Performance.prototype.now is locked by the program, so what it gives belongs to no run.',
    ],
  ])
})

it('says what was loaded before it', async () => {
  await using directory = await createTemporaryDirectory()
  const first = await directory.write('first.cjs', "require('./second.cjs')")
  await directory.write('second.cjs', '')
  const agent = await directory.write('agent.mjs', '')
  const { stderr } = await runNode(directory.path, ['--require', first, '--import', register, agent])
  expect(stderr).toBe(
    `goldenrun/register: ${first} and 1 more modules were loaded before it. ` +
      'What was taken hold of there belongs to no run: put --import goldenrun/register first.\n',
  )
})
