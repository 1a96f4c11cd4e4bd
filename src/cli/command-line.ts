import { Command, CommanderError } from 'commander'
import { OLDEST_NODE, otherRuntime } from '../run/other-runtime.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { GOLDENRUN_VERSION } from '../trace/version.ts'
import { addCheckCommand } from './check.ts'
import { addCostsCommand } from './costs.ts'
import { addDebugCommand } from './debug.ts'
import { addDiffCommand } from './diff.ts'
import { COULD_NOT_RUN, HELD } from './exit-status.ts'
import { addForkCommand } from './fork.ts'
import { addInitCommand } from './init.ts'
import { addInspectCommand } from './inspect.ts'
import { addFlagCommand } from './flag.ts'
import { addForgetCommand } from './forget.ts'
import { addGcCommand } from './gc.ts'
import { addListCommand } from './list.ts'
import { addPromoteCommand } from './promote.ts'
import { addRecordCommand } from './record.ts'
import { addReplayCommand } from './replay.ts'
import { addScrubCommand } from './scrub.ts'
import { addShowCommand } from './show.ts'
import { addShipCommand } from './ship.ts'
import { addSimilarCommand } from './similar.ts'
import { addStatsCommand } from './stats.ts'
import type { Terminal } from './terminal.ts'
import { addVerifyCommand } from './verify.ts'
import { addViewCommand } from './view.ts'

/** Runs a command and returns the exit status; errors go to standard error. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  let status = HELD
  try {
    await createProgram(terminal, (found) => (status = found)).parseAsync(args, { from: 'user' })
    return status
  } catch (error) {
    // Commander has already printed its message or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? HELD : COULD_NOT_RUN
    terminal.printError(describe(error))
    return COULD_NOT_RUN
  }
}

/** @param onStatus Called with a status other than 0 by a command that has already printed the reason. */
function createProgram(terminal: Terminal, onStatus: (status: number) => void): Command {
  const program = new Command('goldenrun')
    .description(
      'Records real runs of an agent, and replays them as tests.\n\n' +
        'A recording becomes a test in three steps: find it (list), read it (show), keep it as a golden trace (promote).',
    )
    .version(GOLDENRUN_VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help, or the help of a command')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', '\nExit status: 0 done or held, 1 diverged, 2 could not run.')
    .showHelpAfterError('(goldenrun --help lists all commands)')
    .exitOverride()
    // The help and the version work on any Node.
    .hook('preAction', checkNode)
  addInitCommand(program, terminal, onStatus)
  addRecordCommand(program, onStatus)
  addListCommand(program, terminal)
  addShowCommand(program, terminal)
  addViewCommand(program, terminal)
  addPromoteCommand(program, terminal)
  addReplayCommand(program, terminal, onStatus)
  addInspectCommand(program, terminal)
  addDebugCommand(program, terminal)
  addForkCommand(program, terminal, onStatus)
  addVerifyCommand(program, terminal, onStatus)
  addSimilarCommand(program, terminal)
  addDiffCommand(program, terminal, onStatus)
  addCheckCommand(program, terminal, onStatus)
  addFlagCommand(program, terminal)
  addStatsCommand(program, terminal)
  addGcCommand(program, terminal)
  addForgetCommand(program, terminal, onStatus)
  addScrubCommand(program, terminal, onStatus)
  addShipCommand(program, terminal)
  addCostsCommand(program, terminal)
  return program
}

/** @throws GoldenrunError `GOLDENRUN_NODE` on a Node version that lacks what the commands need (zstd in `node:zlib`). */
function checkNode(): void {
  const runtime = otherRuntime()
  if (runtime?.startsWith('Node ') !== true) return
  throw new GoldenrunError('GOLDENRUN_NODE', `goldenrun needs Node ${OLDEST_NODE} or newer, this is ${process.versions.node}`)
}

/** Describes an error. Stacks are for unexpected errors; for our own and the file system's errors, the message is enough. */
function describe(error: unknown): string {
  if (GoldenrunError.isInstance(error)) return error.message
  if (!(error instanceof Error)) return String(error)
  return 'syscall' in error ? error.message : (error.stack ?? error.message)
}
