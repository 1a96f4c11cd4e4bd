import childProcess, {
  type ChildProcess,
  exec as namedExec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync as namedSpawnSync,
} from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { guardProcess } from '../../../src/boundaries/contact/guard.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { contactsIn, refusedContact } from './contact-trial.ts'

const hello = ['-e', 'process.stdout.write("hello")'] as const
const command = `"${process.execPath}" -e "process.stdout.write('hello')"`

/** What a child says, once it has come to its end. */
async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.on('data', (piece) => (output += String(piece)))
  await once(child, 'close')
  return output
}

const forms: readonly (readonly [form: string, run: () => Promise<unknown>])[] = [
  ['spawn', () => outputOf(spawn(process.execPath, hello))],
  ['spawn, with a shell', () => outputOf(spawn(command, { shell: true }))],
  ['exec', () => outputOf(namedExec(command))],
  ['exec, promisified', async () => (await promisify(childProcess.exec)(command)).stdout],
  ['execFile', () => outputOf(execFile(process.execPath, hello))],
  ['execFile, promisified', async () => (await promisify(execFile)(process.execPath, hello)).stdout],
  [
    'execFile, with a callback',
    () =>
      new Promise((resolve, reject) => {
        execFile(process.execPath, hello, (error, stdout) => (error === null ? resolve(stdout) : reject(error)))
      }),
  ],
  ['execSync', async () => execSync(command, { encoding: 'utf8' })],
  ['execFileSync', async () => execFileSync(process.execPath, hello, { encoding: 'utf8' })],
  ['spawnSync', async () => outputOrError(childProcess.spawnSync(process.execPath, hello, { encoding: 'utf8' }))],
  ['a named import of spawnSync', async () => outputOrError(namedSpawnSync(process.execPath, hello, { encoding: 'utf8' }))],
  ['spawnSync, with a shell', async () => outputOrError(namedSpawnSync(command, { encoding: 'utf8', shell: true }))],
]

it.each(forms)('passes %s outside of runs and where it is declared live, and refuses it under a guard', async (_form, run) => {
  const release = installDoors()
  expect(await run()).toBe('hello')
  release()
  const declared = (): Promise<unknown> => live('it may', run)
  const { output, trace } = await recordRun(declared)
  expect([output, trace.steps]).toEqual(['hello', []])
  const replayed = await replay(trace, declared)
  expect([replayed.outcome, replayed.divergences]).toEqual([{ status: 'returned', output }, []])
  const refused: unknown[] = []
  const unguard = guardProcess({ onRefused: ({ door, host }) => refused.push(`${door} ${host}`) })
  await expect(run()).rejects.toThrow('goldenrun')
  unguard()
  expect(refused).toEqual(['child process node'])
})

function outputOrError({ stdout, error }: { readonly stdout: string; readonly error?: Error }): string {
  if (error !== undefined) throw error
  return stdout
}

it('meets what is sent to a child that was forked before', async () => {
  await using directory = await createTemporaryDirectory()
  const module = await directory.write('child.cjs', 'process.on("message", (text) => process.send(text))')
  const release = installDoors()
  const child = fork(module)
  const agent = async (): Promise<unknown> => {
    child.send('hello', () => undefined)
    return (await once(child, 'message'))[0]
  }
  const { trace } = await recordRun(agent)
  expect(contactsIn(trace)).toEqual(['child process node'])
  const said: unknown[] = []
  child.on('message', (text) => said.push(text))
  const asking = async (): Promise<string> => await new Promise((resolve) => void child.send('hello', (error) => resolve(String(error))))
  expect(refusedContact(await replay(trace, asking))).toBe('child process node')
  child.send('last')
  await vi.waitFor(() => expect(said).toEqual(['last']))
  child.kill()
  release()
})

it('fails as a child does in life whose command does not exist', async () => {
  const watch = async (file: string): Promise<unknown[]> => {
    const events: unknown[] = []
    const child = spawn(file, hello)
    for (const event of ['spawn', 'error', 'exit']) child.on(event, () => events.push(event))
    for (const stream of [child.stdout, child.stderr]) stream.on('end', () => events.push('end'))
    child.on('close', (...values) => events.push('close', ...values, child.stdin.destroyed, child.stdout.destroyed, child.stderr.destroyed))
    events.push(child.pid, child.killed, child.stdio.length)
    await once(child, 'error')
    await once(child, 'close')
    return [...events, child.exitCode, child.signalCode, child.connected]
  }
  const release = guardProcess({ onRefused: () => undefined })
  const refused = await watch(process.execPath).catch(String)
  release()
  expect(refused).toEqual(await watch('/nowhere/command').catch(String))
})

it('gives of a command that waits what Node gives of one that does not exist', () => {
  const release = guardProcess({ onRefused: () => undefined })
  const { error: _refusal, ...rest } = childProcess.spawnSync('git', ['push'])
  release()
  const { error: _failure, ...failed } = childProcess.spawnSync('/nowhere/git', ['push'])
  expect(rest).toEqual(failed)
})
