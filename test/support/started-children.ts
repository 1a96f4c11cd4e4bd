import childProcess, {
  type ChildProcess,
  exec as namedExec,
  execFile,
  execFileSync,
  execSync,
  spawn,
  spawnSync as namedSpawnSync,
} from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { guardProcess } from '../../src/boundaries/contact/guard.ts'
import { installDoors } from '../../src/boundaries/doors.ts'
import { replay } from '../../src/replay/replay.ts'
import { live } from '../../src/run/live.ts'
import { recordRun } from './record-run.ts'

export const hello = ['-e', 'process.stdout.write("hello")'] as const

const command = `"${process.execPath}" -e "process.stdout.write('hello')"`

/** What a child says, once it has come to its end. */
async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.on('data', (piece) => (output += String(piece)))
  await once(child, 'close')
  return output
}

export const forms: readonly (readonly [form: string, run: () => Promise<unknown>])[] = [
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

export function testStartedForms(cases: readonly (typeof forms)[number][]): void {
  it.each(cases)('passes %s outside of runs and where it is declared live, and refuses it under a guard', async (_form, run) => {
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
}

function outputOrError({ stdout, error }: { readonly stdout: string; readonly error?: Error }): string {
  if (error !== undefined) throw error
  return stdout
}
