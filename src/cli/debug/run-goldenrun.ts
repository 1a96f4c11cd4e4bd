import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { ownFile } from '../../stores/own-file.ts'
import { inspectError } from '../../travel/inspect/inspect-apart.ts'

/** Runs a command of goldenrun in a process of its own: it loads the agent, and guards its process. @returns What it prints. */
export async function runGoldenrun(args: readonly string[]): Promise<string> {
  const program = ownFile('cli') ?? ownFile('cli/main')
  if (program === undefined) throw inspectError('A file is missing from the installed package: reinstall goldenrun.')
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed, problem] = await Promise.all([text(child.stdout), text(child.stderr)])
  return `${printed}${problem}`
}
