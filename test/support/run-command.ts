import { execFile } from 'node:child_process'
import { Console } from 'node:console'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { buildPackage } from './build-package.ts'

/** What came of a command. */
export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs goldenrun's command line in a directory, in this process, as one without a terminal would run it. What is printed on either stream meanwhile,
 * by the command or by an agent that it loads, is caught.
 */
export async function runCommand(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const { runCommandLine } = await import('../../src/cli/command-line.ts')
  const { createTerminal } = await import('../../src/cli/terminal.ts')
  const [stdout, stderr] = [new CaughtStream(), new CaughtStream()]
  const restore = enter(directory, env, stdout, stderr)
  try {
    const terminal = createTerminal({ stdin: Readable.from([]), stdout, stderr } as unknown as NodeJS.Process)
    return { status: await runCommandLine(args, terminal), stdout: stdout.text, stderr: stderr.text }
  } finally {
    restore()
  }
}

/** Runs the built command line in a directory, in a process of its own, without a terminal. */
export async function spawnCommand(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return runNode(directory, [path.join(await buildPackage(), 'dist/cli.js'), ...args], env)
}

/** Runs Node in a directory, without a terminal. The status of a process that was killed is -1. */
export function runNode(directory: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: directory, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ status, stdout: withoutNetworkNote(stdout), stderr: withoutNetworkNote(stderr) })
    })
    child.stdin?.end()
  })
}

/** Output without what only systems say that let a process have no network: see without-network.slow.test.ts. */
export function withoutNetworkNote(output: string): string {
  return output
    .replaceAll(/ Without a network(?: \(--network gives one\))?\./g, '')
    .replaceAll('The agent had no network. If it needs one: --network\n', '')
}

/** Output with what differs from run to run in words of the same length: ids, times, durations, sizes. */
export function withoutTimes(output: string): string {
  return output
    .replaceAll(/\b\d{8}-\d{9}-[0-9a-f]{8}\b/g, 'YYYYMMDD-hhmmssmmm-xxxxxxxx')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, 'YYYY-MM-DD hh:mm:ssZ')
    .replaceAll(/\b(Took|from) [\d.]+ m?s\b/g, '$1 # ms')
    .replaceAll(/\b[\d.]+ k?B\b/g, '# kB')
    .replaceAll(/ +[\d.]+ m?s\b/g, (duration) => '# ms'.padStart(duration.length))
    .replaceAll(/node [\d.]+, goldenrun [\d.]+, \S+, \S+/g, 'node #, goldenrun #, <zone>, <locale>')
}

/** A stream that is no terminal, and keeps what is written to it. */
class CaughtStream extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** Makes this process look like one that was started in a directory with these streams. Gives what makes it what it was. */
function enter(directory: string, env: Readonly<Record<string, string>>, stdout: Writable, stderr: Writable): () => void {
  const [folder, ownEnv, ownConsole] = [process.cwd(), { ...process.env }, globalThis.console]
  const [writeOut, writeError] = [process.stdout.write, process.stderr.write]
  process.chdir(directory)
  Object.assign(process.env, env)
  // By way of the stream's own method, which a command replaces while it diverts what an agent prints.
  process.stdout.write = ((...written: Parameters<Writable['write']>) => stdout.write(...written)) as typeof process.stdout.write
  process.stderr.write = ((...written: Parameters<Writable['write']>) => stderr.write(...written)) as typeof process.stderr.write
  globalThis.console = new Console(stdout, stderr)
  return () => {
    globalThis.console = ownConsole
    process.stdout.write = writeOut
    process.stderr.write = writeError
    for (const name of Object.keys(process.env)) if (!(name in ownEnv)) delete process.env[name]
    Object.assign(process.env, ownEnv)
    process.chdir(folder)
  }
}
