import { tellPosition } from '../../divergence/run-place.ts'
import { printable } from '../../trace/printable.ts'
import { sideEffectsOf } from '../../trace/side-effects.ts'
import type { Trace } from '../../trace/trace.ts'
import type { InspectAnswer } from '../../travel/inspect/inspect-request.ts'
import { printVariable } from '../../travel/inspect/print-variable.ts'
import { formatFrame, formatWaiting, printPlace } from '../inspect/format-inspected.ts'
import type { Terminal } from '../terminal.ts'
import { OVER } from './debug-client.ts'
import type { DebuggedRun } from './debugged-run.ts'

/** The context of the debugger terminal's commands. */
export interface DebugContext {
  readonly run: DebuggedRun
  readonly trace: Trace
  /** Where the replay diverges, if it does. */
  readonly divergence: InspectAnswer['divergence']
  readonly style: Pick<Terminal, 'colors' | 'width'>
  /** Runs a command of goldenrun for this trace in its own process. @returns The command's output. */
  goldenrun(command: 'fork' | 'replay', args: readonly string[]): Promise<string>
}

/** A command. It takes its arguments as typed, and returns the text to print. */
interface DebugCommand {
  readonly usage: string
  readonly about: string
  run(context: DebugContext, argument: string): Promise<string>
}

/** The commands by name. */
export const debugCommands: Readonly<Record<string, DebugCommand>> = {
  where: { usage: 'where', about: 'the functions of the agent that are running, and those that wait', run: where },
  vars: { usage: 'vars', about: 'the variables of the functions that are running', run: vars },
  eval: { usage: 'eval <expression>', about: 'the value of an expression; it runs what it calls', run: evaluate },
  next: { usage: 'next', about: 'go to the next step', run: next },
  prev: { usage: 'prev', about: 'go to the previous step, by replaying', run: previous },
  to: { usage: 'to <step>', about: 'go to a step', run: goTo },
  'before-side-effect': { usage: 'before-side-effect', about: 'go to the next side effect', run: beforeSideEffect },
  why: { usage: 'why', about: 'where the run diverges from the recorded one, and why', run: why },
  fork: {
    usage: 'fork [options]',
    about: 'fork the run at this step, with the options of goldenrun fork: --answer, --error, …',
    run: fork,
  },
  help: { usage: 'help', about: 'print this help', run: help },
  exit: { usage: 'exit', about: 'end the debugger; so do quit and Ctrl-D', run: async () => Promise.resolve('') },
}

/** Runs a line of the terminal: a command, or an expression. */
export async function runDebugLine(context: DebugContext, line: string): Promise<string> {
  const typed = withoutSemicolon(line)
  const [, name = '', argument = ''] = /^(\S*)\s*(.*)$/s.exec(typed) ?? []
  const command = Object.hasOwn(debugCommands, name) ? debugCommands[name] : undefined
  if (command === undefined) return await evaluate(context, typed)
  return await command.run(context, argument)
}

/** Whether a line ends the terminal. */
export function isExit(line: string): boolean {
  return ['exit', 'quit'].includes(withoutSemicolon(line))
}

function withoutSemicolon(line: string): string {
  return line.trim().replace(/[\s;]+$/, '')
}

/** Describes where the agent is on one line, with its innermost function. */
export async function describeStop(context: DebugContext): Promise<string> {
  const { run, trace } = context
  const { frames } = await run.read()
  const step = run.isAtExtraCall ? undefined : trace.steps.find((each) => each.step === run.step)
  const [frame] = frames
  const before = step === undefined ? 'a call that the recorded run does not have' : `${step.boundary} ${step.name}`
  const place = placeOf(context)
  return printable(
    `${place.charAt(0).toUpperCase()}${place.slice(1)}, before ${before}${frame === undefined ? '' : `: ${printPlace(frame)}`}`,
  )
}

/** Where the agent is stopped. A call that the recorded run does not have comes after the step that the report names. */
function placeOf({ run, divergence }: DebugContext): string {
  return run.isAtExtraCall && divergence !== undefined ? tellPosition(divergence) : `step ${run.step}`
}

async function where({ run, style }: DebugContext): Promise<string> {
  const { frames, waiting } = await run.read()
  const running = frames.map((frame) => printable(printPlace(frame)))
  return [...running, ...waiting.map((frame) => formatWaiting(frame, style))].join('\n')
}

async function vars({ run, style }: DebugContext): Promise<string> {
  const { frames } = await run.read()
  return frames.flatMap((frame) => formatFrame(frame, style)).join('\n')
}

async function evaluate({ run }: DebugContext, expression: string): Promise<string> {
  return expression === '' ? '' : printable(printVariable(await run.evaluate(expression)))
}

async function next(context: DebugContext): Promise<string> {
  const { run } = context
  if (run.isOver) return OVER
  const step = run.steps.find((each) => each > run.step)
  if (step !== undefined) return await go(context, step)
  const answer = await run.finish()
  return answer === undefined ? 'There is no next step.' : `The replay is over: ${answer.outcome}.`
}

async function previous(context: DebugContext): Promise<string> {
  const { run } = context
  const step = run.steps.findLast((each) => run.isOver || each < run.step)
  return step === undefined ? 'There is no previous step.' : await go(context, step)
}

async function goTo(context: DebugContext, argument: string): Promise<string> {
  if (!/^[1-9]\d*$/.test(argument)) return 'Usage: to <step>'
  return await go(context, Number(argument))
}

async function beforeSideEffect(context: DebugContext): Promise<string> {
  const { run, trace } = context
  if (run.isOver) return OVER
  const effects = sideEffectsOf(trace.steps, trace.header).map(({ step }) => step)
  const step = run.steps.find((each) => each > run.step && effects.includes(each))
  return step === undefined ? `There is no side effect after step ${run.step}.` : await go(context, step)
}

async function why(context: DebugContext): Promise<string> {
  const report = await context.goldenrun('replay', [])
  return `${report.trimEnd()}\n\nThe debugger is ${context.run.isAtExtraCall ? '' : 'at '}${placeOf(context)}.`
}

async function fork({ run, goldenrun }: DebugContext, argument: string): Promise<string> {
  return (await goldenrun('fork', ['--at', String(run.step), ...splitArguments(argument)])).trimEnd()
}

async function help(): Promise<string> {
  const width = Math.max(...Object.values(debugCommands).map(({ usage }) => usage.length))
  const lines = Object.values(debugCommands).map(({ usage, about }) => `${usage.padEnd(width)}  ${about}`)
  return Promise.resolve([...lines, 'Anything else is evaluated as an expression. It runs for 5 seconds at most.'].join('\n'))
}

async function go(context: DebugContext, step: number): Promise<string> {
  await context.run.goTo(step)
  return await describeStop(context)
}

/** Splits words as a shell does: quotes keep spaces. */
function splitArguments(text: string): string[] {
  return [...text.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+))+/g)].map(([word]) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
      (_, double: string | undefined, single: string | undefined) => single ?? (double ?? '').replaceAll(/\\(.)/g, '$1'),
    ),
  )
}
