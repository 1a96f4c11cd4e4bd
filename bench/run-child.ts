import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** How the process is started. */
export interface ChildOptions {
  /** What Node itself is told. Default: nothing. */
  readonly nodeArguments?: readonly string[]
  /** What the program finds from `process.argv[2]` on. Default: nothing. */
  readonly programArguments?: readonly string[]
}

/**
 * Runs a program of the bench in a process of its own, with the Node that runs this one.
 *
 * @param program The program's address: `new URL('./program.ts', import.meta.url)`.
 * @returns What it printed, which has to be one JSON value.
 * @throws Node's own error, with what the program wrote to standard error, where it ends with another status than 0.
 */
export async function runChild(program: URL, { nodeArguments = [], programArguments = [] }: ChildOptions = {}): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeArguments, fileURLToPath(program), ...programArguments])
  return JSON.parse(stdout)
}
