import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { stepBefore } from '../divergence/step-before.ts'
import { readStoredTrace } from '../replay/traces/read-trace.ts'
import { EnvironmentMask } from '../travel/inspect/environment-mask.ts'
import { FrameRedaction } from '../travel/inspect/redact-frames.ts'
import { inspectError, ReplayApart } from '../travel/inspect/inspect-apart.ts'
import { type InspectOptions, readApart, requestFor } from '../travel/inspect/inspect.ts'
import type { InspectAnswer, StepVisit } from '../travel/inspect/inspect-request.ts'
import { defaultLimits } from '../travel/inspect/inspected-run.ts'
import { omitUndefined } from '../trace/json.ts'
import { ownFile } from '../node/own-file.ts'
import type { StoredTrace } from '../stores/trace-store.ts'
import { type DebugContext, describeStop } from './debug/debug-commands.ts'
import { DebuggedRun } from './debug/debugged-run.ts'
import { runDebugTerminal } from './debug/debug-terminal.ts'
import { parseStep } from './incident-options.ts'
import { withProgress } from './progress.ts'
import { locateRun, RUN_ARGUMENT } from './read-run.ts'
import { type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { checkSteps } from './steps-option.ts'
import type { Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun debug refund-twice --at 7
  $ npx goldenrun debug latest --port 9333

Exit status: 0 the debugger was ended, 2 the run could not be debugged.`

/** `goldenrun debug <run>` */
export function addDebugCommand(program: Command, terminal: Terminal): void {
  program
    .command('debug')
    .argument('<run>', RUN_ARGUMENT)
    .summary('stop in the agent at a step of a run')
    .description(
      'Replays a run with the agent of goldenrun.config.ts, and stops it in its own code before a step. Commands are read from the terminal: help lists ' +
        'them. Chrome or an editor can attach to the port that is printed.',
    )
    .addOption(new Option('--at <step>', 'the step (default: where the run diverges, or the first)').argParser(parseStep))
    .option('--port <port>', 'the port on 127.0.0.1 that an editor attaches to (default: any that is free)', parsePort)
    .addOption(new Option('--tools <mode>', "whether the functions of tools run (default: the config's, or stub)").choices(['stub', 'run']))
    .addOption(storeOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options: DebugOptions) => {
      const stored = await locateRun(run, await storeOf(options.store))
      const apart = new ReplayApart(stored.file, stored.text)
      try {
        await debug(run, stored, apart, options, terminal)
      } finally {
        apart.close()
      }
    })
}

interface DebugOptions extends StoreOptions, Pick<InspectOptions, 'at' | 'tools'> {
  readonly port?: number
}

async function debug(name: string, stored: StoredTrace, apart: ReplayApart, options: DebugOptions, terminal: Terminal): Promise<void> {
  const { at, port, tools, store } = options
  const { trace } = await readStoredTrace(stored)
  if (at !== undefined) checkSteps(trace, { from: at, to: at })
  const request = requestFor(trace, stored.file, omitUndefined({ tools }))
  const { found, read } = await withProgress(terminal, async (progress) => {
    progress.tell(`Replaying ${stored.file}`)
    return await readApart(apart, request, trace, 'visit')
  })
  const visits = read.visits ?? []
  const step = at ?? usualStep(read, visits)
  if (step === undefined) throw inspectError('No call comes from a line of the agent.')
  const { draws: _, ...redact } = (await loadConfig(request.configDirectory)).config.redact ?? {}
  const redaction = new FrameRedaction(trace, redact, new EnvironmentMask(Object.entries(process.env)), defaultLimits)
  const places = found.found ?? { places: [], ofCall: [] }
  const run = new DebuggedRun({ trace, apart, request: { ...request, places }, visits, redaction, ...(port !== undefined && { port }) })
  try {
    await run.goTo(step)
    const more = store === undefined ? [] : ['--store', store]
    const context: DebugContext = {
      run,
      trace,
      divergence: read.divergence,
      style: terminal,
      goldenrun: (command, args) => runGoldenrun([command, name, ...args, ...more]),
    }
    terminal.print(
      `${await describeStop(context)}\nDebugger on 127.0.0.1:${run.address?.port}, for Chrome or an editor to attach. Commands: help`,
    )
    const { stdin: input, stdout: output } = process
    await runDebugTerminal(
      context,
      { input, output, isInteractive: terminal.isInteractive },
      terminal,
      path.resolve('.goldenrun/debug-history'),
    )
  } finally {
    await run.close()
  }
}

/** Where the agent is stopped before a replay departs from the trace, or at its first step. Undefined if it cannot be stopped. */
function usualStep({ outcome, divergence }: InspectAnswer, visits: readonly StepVisit[]): number | undefined {
  // A call that stopped the replay, or the last one before that.
  if (outcome === 'stopped') return visits.at(-1)?.step
  const reached =
    divergence &&
    stepBefore(
      divergence,
      visits.map(({ step }) => step),
    )
  return reached ?? visits[0]?.step
}

/** Runs a command of goldenrun in its own process, because it loads the agent and guards its process. @returns The command's output. */
async function runGoldenrun(args: readonly string[]): Promise<string> {
  const program = ownFile('cli') ?? ownFile('cli/main')
  if (program === undefined) throw inspectError('A file is missing from the installed package: reinstall goldenrun.')
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed, problem] = await Promise.all([text(child.stdout), text(child.stderr)])
  return `${printed}${problem}`
}

function parsePort(given: string): number {
  const port = Number(given)
  if (/^\d+$/.test(given) && port < 65_536) return port
  throw new InvalidArgumentError('It has to be a port: 9333.')
}
