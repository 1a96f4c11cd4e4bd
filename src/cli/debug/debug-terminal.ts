import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { start, type REPLServer } from 'node:repl'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Terminal } from '../terminal.ts'
import { debugCommands, type DebugContext, isExit, runDebugLine } from './debug-commands.ts'

/** The streams of the debugger's terminal. */
export interface DebugStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly isInteractive: boolean
}

/**
 * Reads commands until the end of input. Lines are run one after another, even if they arrive at once.
 *
 * @param history The file of the history, for a terminal.
 */
export async function runDebugTerminal(
  context: DebugContext,
  { input, output, isInteractive }: DebugStreams,
  terminal: Terminal,
  history: string,
): Promise<void> {
  let last = Promise.resolve()
  let isClosed = false
  const run = async (line: string): Promise<void> => {
    try {
      const printed = await runDebugLine(context, line)
      if (printed !== '') terminal.print(printed)
    } catch (error) {
      if (!GoldenrunError.isInstance(error)) throw error
      if (isClosed) return
      terminal.print(error.message)
    }
  }
  const runNext = async (before: Promise<void>, line: string, done: (error: null, result: undefined) => void): Promise<void> => {
    await before
    if (isExit(line)) {
      isClosed = true
      repl.close()
    } else if (!isClosed) await run(line)
    done(null, undefined)
  }
  const completeFor = async (line: string, done: (error: null, found: [string[], string]) => void): Promise<void> =>
    done(null, await complete(context, line))
  const repl = start({
    prompt: isInteractive ? 'debug> ' : '',
    input,
    output,
    terminal: isInteractive,
    ignoreUndefined: true,
    eval: (line, _context, _file, done) => {
      last = runNext(last, line, done)
    },
    completer: (line: string, done: (error: null, found: [string[], string]) => void) => void completeFor(line, done),
  })
  if (isInteractive) keepHistory(repl, history)
  await new Promise<void>((resolve) => void repl.once('exit', resolve))
  // A user who presses Ctrl-D does not wait for running commands. Piped lines are all run.
  if (isInteractive) isClosed = true
  else await last
}

/** Completes commands, and variables of the innermost function. */
async function complete({ run }: Pick<DebugContext, 'run'>, line: string): Promise<[found: string[], completed: string]> {
  const word = /[\w$-]*$/.exec(line)?.[0] ?? ''
  const { frames } = run.step === 0 ? { frames: [] } : await run.read().catch(() => ({ frames: [] }))
  const variables = frames[0]?.scopes.flatMap((scope) => Object.keys(scope.variables)) ?? []
  const names = word === line ? [...Object.keys(debugCommands), ...variables] : variables
  return [names.filter((name) => name.startsWith(word)), word]
}

/** Debugging works even if the history cannot be kept. */
function keepHistory(repl: REPLServer, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  repl.setupHistory(file, () => undefined)
}
