import { cutText } from '../../divergence/print-value.ts'
import { printCallSite } from '../../run/call-site.ts'
import { printable } from '../../trace/printable.ts'
import type { VariableChange } from '../../travel/inspect/find-variable.ts'
import type { InspectedFrame, InspectedRun, InspectedScope, InspectedStep, WaitingFrame } from '../../travel/inspect/inspected-run.ts'
import { printVariable } from '../../travel/inspect/print-variable.ts'
import type { Terminal } from '../terminal.ts'

type Style = Pick<Terminal, 'colors' | 'width'>
type Place = Omit<WaitingFrame, 'how'>

/** Formats the steps of a run, and whether its replay stopped. */
export function formatInspected({ steps, outcome, stoppedAt, name }: Omit<InspectedRun, 'hash'>, style: Style): string[] {
  if (steps.length === 0) return ['The run has no steps: the agent made no calls.']
  const printed = formatSteps(steps, style)
  if (outcome !== 'stopped') return printed
  return [
    ...printed,
    '',
    `The replay diverged from the recorded run${tellStop(stoppedAt)}, and stopped. npx goldenrun replay ${printable(name)} shows why.`,
  ]
}

function tellStop(stoppedAt: number | undefined): string {
  if (stoppedAt === undefined) return ''
  return stoppedAt === 0 ? ' before the first step' : ` at step ${stoppedAt}`
}

/** Formats every step with the agent's frames, the innermost first, each with its variables. A module's variables are printed when they have changed. */
export function formatSteps(steps: readonly InspectedStep[], style: Style): string[] {
  const told = new Map<string, string>()
  return steps.flatMap((step) => [...formatStep(step, style, told), '']).slice(0, -1)
}

/** Formats where a variable changed, and its new values. */
export function formatChanges(path: string, changes: readonly VariableChange[], { colors, width }: Style): string[] {
  if (changes.length === 0) return [`No variable at any step has ${printable(path)}.`]
  const rows = changes.map(({ step, moment, frame, value }) => {
    const place = `${moment === 'before' ? 'before' : 'after '} step ${String(step).padStart(String(changes.at(-1)?.step ?? 0).length)}  ${printPlace(frame)}`
    return { place: printable(place), value: printable(printVariable(value)) }
  })
  const column = Math.max(...rows.map(({ place }) => place.length))
  return rows.map(({ place, value }) => `${colors.dim(place.padEnd(column))}  ${cutText(value, Math.max(20, width - column - 2))}`)
}

/** Formats a frame and its variables by scope. */
export function formatFrame(frame: InspectedFrame, style: Style, told: Map<string, string> = new Map()): string[] {
  const { colors } = style
  const scopes = frame.scopes.flatMap((scope) =>
    formatScope(scope, style, scope.kind === 'module' ? (name, value) => isNews(told, `${frame.file} ${name}`, value) : () => true),
  )
  return [
    `  ${colors.bold(printable(frame.function || '(anonymous)'))}  ${colors.dim(printable(printCallSite(frame)))}`,
    ...scopes,
    ...(frame.unread ?? []).map((why) => `    ${why}`),
  ]
}

/** Formats a function and its place: `runTool  src/run-tool.ts:36:28`. */
export function printPlace(frame: Place): string {
  return `${frame.function || '(anonymous)'}  ${printCallSite(frame)}`
}

/** Formats a function behind the running ones: `supportAgent  src/agent.ts:20:29  (waits)`. */
export function formatWaiting(frame: WaitingFrame, { colors }: Style): string {
  return `${printable(printPlace(frame))}  ${colors.dim(frame.how === 'waits' ? '(waits)' : '(called it)')}`
}

function formatStep(
  { step, boundary, name, frames, waiting, after, unread = [] }: InspectedStep,
  style: Style,
  told: Map<string, string>,
): string[] {
  const { colors } = style
  return [
    colors.bold(`Step ${step}  ${boundary} ${printable(name)}`),
    ...unread.map((why) => `  ${why}`),
    ...frames.flatMap((frame) => formatFrame(frame, style, told)),
    ...waiting.map((frame) => `  ${formatWaiting(frame, style)}`),
    ...(after === undefined || after.length === 0 ? [] : [`  ${colors.dim('after the call:')}`]),
    ...(after ?? []).flatMap((frame) => formatFrame(frame, style, told)),
  ]
}

function formatScope(
  { kind, variables }: InspectedScope,
  { colors, width }: Style,
  isTold: (name: string, value: string) => boolean,
): string[] {
  const label = kind === 'closure' || kind === 'module' ? `  (${kind})` : ''
  const printed = Object.entries(variables)
    .map(([name, value]) => [name, printVariable(value)] as const)
    .filter(([name, value]) => isTold(name, value))
    .map(([name, value]) => `    ${cutText(printable(`${name} = ${value}`), Math.max(20, width - 4 - label.length))}${colors.dim(label)}`)
  // A bundle's module scope has the variables of all its modules.
  if (kind !== 'module' || printed.length <= MOST_OF_MODULE) return printed
  return [...printed.slice(0, MOST_OF_MODULE), `    … ${printed.length - MOST_OF_MODULE} more${colors.dim(label)}`]
}

const MOST_OF_MODULE = 40

/** Whether the printed value of a variable differs from the last one printed. */
function isNews(told: Map<string, string>, name: string, value: string): boolean {
  if (told.get(name) === value) return false
  told.set(name, value)
  return true
}
