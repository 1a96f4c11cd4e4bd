import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serialize } from 'node:v8'
import { BEAT, JOURNAL, NEEDS_NETWORK } from './journal-names.ts'
import { type CommandLine, ISOLATED, withoutNetwork } from './without-network.ts'

/** After so many seconds in which the process could do nothing else, what it computes is taken for endless. */
const PATIENCE = 60

/** How a process ended. */
interface Ending {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether somebody has ended the whole command: Ctrl-C. */
  readonly isInterrupted: boolean
  /** Whether it was ended because it could do nothing else for a minute. */
  readonly isStuck: boolean
}

/**
 * Replays in another process, and in a further one where that ends in the middle of a golden: by a crash of native code, without memory, in a loop that
 * never ends. The golden that it replayed could not run, and those behind it still get their verdicts. Where the system allows it, the processes have no
 * network, as long as nothing needs one.
 *
 * @returns How the last process ended.
 */
export async function supervise(program: string, args: readonly string[]): Promise<Pick<Ending, 'status' | 'signal'>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'goldenrun-replay-'))
  const file = (name: string): string => path.join(folder, name)
  const command: CommandLine = [process.execPath, ...process.execArgv, program, ...args]
  let isolated = args.includes('--network') ? undefined : withoutNetwork(command)
  try {
    for (;;) {
      const ending = await runOnce(isolated ?? command, { [JOURNAL]: folder, ...(isolated && { [ISOLATED]: '1' }) }, folder)
      if (existsSync(file(NEEDS_NETWORK)) && isolated !== undefined && !ending.isInterrupted) {
        isolated = undefined
        rmSync(file('current'), { force: true })
        continue
      }
      if (existsSync(file('finished')) && !ending.isInterrupted)
        return { status: Number(readFileSync(file('finished'), 'utf8')), signal: null }
      if (ending.isInterrupted || !existsSync(file('current'))) return ending
      const [index, name] = JSON.parse(readFileSync(file('current'), 'utf8')) as [number, string]
      writeFileSync(file(`${index}.result`), serialize({ name, status: 'could not run', message: describeEnding(ending) }))
      rmSync(file('current'))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function describeEnding({ status, signal, isStuck }: Ending): string {
  if (isStuck)
    return `The agent did nothing but compute for ${PATIENCE} seconds, so its process was ended. Look for a loop that never ends, and that awaits nothing.`
  if (signal === null)
    return `The process ended with status ${status} while it was replayed. Look for process.exit in a module that the agent loads, or in code that it started before the run.`
  return `The process was ended by ${signal} while it was replayed. Look for native code that crashes, and for memory that runs out (node --max-old-space-size).`
}

async function runOnce([program, ...args]: CommandLine, env: Readonly<Record<string, string>>, folder: string): Promise<Ending> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  let isInterrupted = false
  const passOn = (signal: NodeJS.Signals): void => {
    isInterrupted = true
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, passOn)
  const watch = watchBeat(path.join(folder, 'alive'), () => child.kill('SIGKILL'))
  const over = Promise.withResolvers<Pick<Ending, 'status' | 'signal'>>()
  child.once('error', over.reject)
  child.once('close', (status, signal) => over.resolve({ status, signal }))
  try {
    const ended = await over.promise
    return { ...ended, ...watch.end(), isInterrupted }
  } finally {
    for (const signal of signals) process.off(signal, passOn)
  }
}

/** Calls a function once a file was not touched for long. A machine that sleeps does not count: only this process's own seconds do. */
function watchBeat(file: string, onStuck: () => void): { end(): { readonly isStuck: boolean } } {
  let last = ''
  let silent = 0
  let isStuck = false
  const timer = setInterval(() => {
    const beat = existsSync(file) ? readFileSync(file, 'utf8') : ''
    silent = beat === last && beat !== '' ? silent + 1 : 0
    last = beat
    if (silent < PATIENCE) return
    isStuck = true
    onStuck()
  }, BEAT)
  return {
    end() {
      clearInterval(timer)
      return { isStuck }
    },
  }
}
