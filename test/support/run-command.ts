import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What came of a command. */
export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** Runs goldenrun's command line in a directory, without a terminal. */
export function runCommand(directory: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return runNode(directory, [main, ...args], env)
}

/** Runs Node in a directory, without a terminal. The status of a process that was killed is -1. */
export function runNode(directory: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: directory, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr })
    })
    child.stdin?.end()
  })
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
