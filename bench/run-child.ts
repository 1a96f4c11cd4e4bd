import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** How the process is started. */
export interface ChildOptions {
  /** Arguments of Node itself. Default: none. */
  readonly nodeArguments?: readonly string[]
  /** The program's arguments, from `process.argv[2]` on. Default: none. */
  readonly programArguments?: readonly string[]
}

/**
 * Runs a program of the bench in a separate process, with the running Node.
 *
 * @param program The URL of the program: `new URL('./program.ts', import.meta.url)`.
 * @returns The program's output, which has to be one JSON value.
 * @throws Node's own error, with the program's standard error, if its exit status is not 0.
 */
export async function runChild(program: URL, { nodeArguments = [], programArguments = [] }: ChildOptions = {}): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeArguments, fileURLToPath(program), ...programArguments])
  return JSON.parse(stdout)
}
