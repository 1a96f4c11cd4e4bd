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
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { contactsIn, refusedContact, tryContact } from './contact-trial.ts'

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

it.each(forms)('meets %s', async (_form, run) => {
  expect(await tryContact(run, 'hello')).toBe('child process node')
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

it('meets fork, and what is sent over its channel', async () => {
  await using directory = await createTemporaryDirectory()
  const module = await directory.write('child.cjs', 'process.on("message", (text) => process.send(text, () => process.disconnect()))')
  const agent = async (): Promise<unknown> => {
    const child = fork(module)
    child.send('hello', () => undefined)
    return (await once(child, 'message'))[0]
  }
  expect(await tryContact(agent, 'hello')).toBe('child process node')
})

it("meets what is written to a child's input as the same contact", async () => {
  const agent = async (): Promise<string> => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'])
    const failed = once(child.stdin, 'close')
    child.stdin.on('error', () => undefined)
    const output = outputOf(child)
    child.stdin.write('hel')
    child.stdin.end('lo')
    await failed
    return output
  }
  expect(await tryContact(agent, 'hello')).toBe('child process node')
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
  const { trace } = await recordRun(() => outputOf(spawn(process.execPath, hello)))
  let refused: unknown
  expect(refusedContact(await replay(trace, async () => (refused = await watch(process.execPath).catch(String))))).toBe(
    'child process node',
  )
  expect(refused).toEqual(await watch('/nowhere/command').catch(String))
})

it('gives of a command that waits what Node gives of one that does not exist', async () => {
  const { trace } = await recordRun(async () => 'nothing')
  let refused: object = {}
  expect(refusedContact(await replay(trace, async () => void (refused = childProcess.spawnSync('git', ['push']))))).toBe(
    'child process git',
  )
  const { error: _refusal, ...rest } = refused as { error: Error }
  const { error: _failure, ...failed } = childProcess.spawnSync('/nowhere/git', ['push'])
  expect(rest).toEqual(failed)
})
