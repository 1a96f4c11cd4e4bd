import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { createNoiseFilter } from './noise.ts'

/** Where and how a command runs. */
export interface CommandOptions {
  /** The working directory. */
  readonly folder: string
  /** Added to this process's environment. */
  readonly env: Readonly<Record<string, string>>
  readonly isColored: boolean
  /** Called with each line of the output that is not noise. */
  readonly onOutput: (line: string) => void
}

/** What a command did. */
export interface CommandResult {
  readonly status: number | null
  /** All that it printed, noise included, on both streams and without colours. */
  readonly output: string
}

/** Runs a command line in a shell and shows what it prints as it prints it. */
export async function runCommand(command: string, { folder, env, isColored, onOutput }: CommandOptions): Promise<CommandResult> {
  // One stream for both, or reports and summaries come in another order than they were printed in.
  const child = spawn(`${command} 2>&1`, {
    cwd: folder,
    env: { ...environment(isColored), ...env },
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve, reject) => void child.once('error', reject).once('close', resolve))
  const filter = createNoiseFilter()
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(stripVTControlCharacters(line))
    for (const shown of filter(line)) onOutput(shown)
  }
  return { status: await ended, output: lines.join('\n') }
}

function environment(isColored: boolean): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...rest } = process.env
  return {
    ...rest,
    ...(isColored ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    // npx and the commands run on the Node that runs the demo.
    PATH: [dirname(process.execPath), rest['PATH']].join(delimiter),
    // npx finds its commands in the project; it has nothing to ask the network for, and nothing of its own to say.
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
  }
}
