import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How a process is started. */
export interface NodeOptions {
  readonly cwd: string
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs the running Node with the given arguments, without what the fence's own environment says of Node and of test runners.
 *
 * @returns What the process printed: on its standard output, and on both streams.
 * @throws Error with all that it printed, if its exit status is not 0.
 */
export async function runNode(
  args: readonly string[],
  { cwd, env = {} }: NodeOptions,
): Promise<{ readonly stdout: string; readonly output: string }> {
  const foreign = /^(NODE_|VITEST|GOLDENRUN|npm_|CI$|GITHUB_|FORCE_COLOR$)/
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
  const child = spawn(process.execPath, args, { cwd, env: { ...own, NO_COLOR: '1', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [status, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (status !== 0) throw new Error(`A measured process ended with ${status ?? signal}: node ${args.join(' ')}\n${output}`)
  return { stdout, output }
}
