import { cutText } from '../divergence/print-value.ts'
import { modelCallsOf } from '../replay/traces/model-calls.ts'
import type { ModelCall } from '../replay/contract/replayed-run.ts'
import type { NoteRow } from '../trace/rows.ts'
import { sideEffectsOf } from '../trace/side-effects.ts'
import type { Step, Trace } from '../trace/trace.ts'
import { isUnwritten } from '../trace/unkept-value.ts'
import { describeExpectation } from './describe-expectation.ts'
import { describeWatch } from './describe-watch.ts'
import { callText, errorText, resultText, valueText } from './describe-step.ts'
import { foldItems, listItems, pickItems, type TranscriptItem } from './fold-steps.ts'
import { printable } from '../trace/printable.ts'
import { describeBoundaries, formatTotals } from './run-totals.ts'
import { formatStepDetails } from './step-details.ts'
import type { StepRange } from './steps-option.ts'
import type { Terminal } from './terminal.ts'
import { count, formatDuration, formatTime } from './units.ts'

type Style = Pick<Terminal, 'colors' | 'width'>

/** The steps that are unfolded: none, for an overview; all; or a range. */
export type TranscriptView = 'folded' | 'full' | StepRange

/**
 * Formats a trace as text: a header, one line per step with checkpoints and notes in between, and the outcome. The middle of a long run is folded,
 * and long values are cut.
 *
 * @param flags The reasons for which users flagged the run; the agent's own flags are in its notes.
 */
export function formatTranscript(trace: Trace, style: Style, view: TranscriptView, flags: readonly string[]): string[] {
  const items = listItems(trace)
  if (typeof view === 'object') return formatSteps(trace, pickItems(items, view), true, style).slice(0, -1)
  const isFull = view === 'full'
  const steps = formatSteps(trace, isFull ? items : foldItems(items), isFull, style)
  return [
    ...formatHeader(trace, flags, { ...style, width: isFull ? Infinity : style.width }),
    '',
    ...steps,
    '',
    ...formatEnd(trace, style, isFull),
  ]
}

/** Formats labelled lines; lines without text are left out. */
export function formatFields(fields: readonly (readonly [label: string, text: string | undefined])[], { colors, width }: Style): string[] {
  const given = fields.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text: printable(text) }]))
  const column = Math.max(...given.map(({ label }) => label.length))
  return given.map(({ label, text }) => `  ${colors.dim(label.padEnd(column))}  ${cutText(text, width - column - 4)}`)
}

function formatHeader({ header }: Trace, flags: readonly string[], style: Style): string[] {
  const { id, agent, agentVersion, golden, input, runtime, startedAt, tags = {} } = header
  const version = agentVersion === undefined ? '' : ` ${agentVersion}`
  const named = Object.entries(tags).map((tag) => tag.join('='))
  const title = golden === undefined ? `Recording ${id}` : `Golden trace ${golden.name}`
  const fields = formatFields(
    [
      ['about', golden?.description],
      ['expected', golden?.expectedOutcome],
      ['holds when', golden && describeExpectation(golden.expect)],
      ['promoted', golden && `${formatTime(golden.promotedAt)} from ${golden.promotedFrom}`],
      ['follows', golden?.follows],
      ['started', formatTime(startedAt)],
      ['ran on', `node ${runtime.node}, goldenrun ${runtime.goldenrun}, ${runtime.timeZone}, ${runtime.locale}`],
      ['tags', named.length === 0 ? undefined : named.join(', ')],
      ['flagged', flags.length === 0 ? undefined : flags.join('; ')],
      ['input', isUnwritten(input) ? 'not known: it was not written before the process died, or the disk was full' : valueText(input)],
    ],
    style,
  )
  return [style.colors.bold(printable(`${title}, agent ${agent}${version}`)), ...fields]
}

function formatSteps(trace: Trace, items: readonly TranscriptItem[], isUnfolded: boolean, style: Style): string[] {
  const { colors, width } = style
  const byNumber = new Map(trace.steps.map((step) => [step.step, step]))
  const calls = modelCallsOf(trace.steps)
  const sideEffects = new Map(
    sideEffectsOf(trace.steps, trace.header).map(({ step, inferred }) => [step, inferred === true ? 'write?' : 'write']),
  )
  const layout = createColumns(calls.some(({ answer }) => answer?.usage !== undefined))
  const aside = layout('', '', '', '', '')
  const formatItem = (item: TranscriptItem): string[] => {
    if (item.kind === 'fold') return [colors.dim(cutText(`${layout('…', '', '', '', '')}${describeFold(item.steps)}`, width))]
    if (item.kind === 'aside') return [formatAside(item.row, aside, style)]
    const { step } = item
    const index = calls.findIndex((call) => call.step === step.step)
    const call = calls[index]
    const line = formatStep(step, layout, tokensOf(call), depthOf(step, byNumber), sideEffects.get(step.step), style)
    if (!isUnfolded) return [line]
    // A single model call is shown with everything that was sent.
    const before = items.length === 1 ? undefined : calls[index - 1]
    return [line, ...formatStepDetails({ step, call, before }, style), '']
  }
  const lines = items.flatMap(formatItem)
  const legend = items.some((item) => item.kind === 'step' && sideEffects.get(item.step.step) === 'write?') ? [colors.dim(INFERRED)] : []
  const head = colors.dim(layout('step', 'at', 'took', 'tokens', 'boundary').trimEnd())
  return lines.length === 0 ? ['  No steps.'] : [head, ...lines, ...legend]
}

const INFERRED =
  "  write?: inferred to be a side effect from its method. To declare it, wrap it: tool(name, { effect }, …), or name it: effects: { 'POST host/path': 'read' }"

function formatAside(row: Extract<TranscriptItem, { kind: 'aside' }>['row'], aside: string, { colors, width }: Style): string {
  if (row.kind === 'note') return colors.yellow(cutText(`${aside}${describeNote(row)}`, width))
  if (row.kind === 'end') return colors.dim(cutText(`${aside}the run settled; what follows came after its end`, width))
  const what =
    row.kind === 'signal'
      ? `signal ${row.name}`
      : `checkpoint ${row.name}${row.by === undefined ? '' : ' (by policy)'} ${valueText(row.state)}`
  return colors.cyan(cutText(printable(`${aside}${what}`), width))
}

function describeFold(steps: readonly Step[]): string {
  const [first, last] = [steps[0]?.step ?? 0, steps.at(-1)?.step ?? 0]
  const writes = steps.filter(({ effect }) => effect === 'write').length
  const effects = writes === 0 ? '' : `, ${count(writes, 'side effect')}`
  const option = first === last ? `--step ${first}` : `--steps ${first}-${last}`
  return `${count(steps.length, 'step')}${describeBoundaries(steps)}${effects}: ${option}`
}

function formatStep(
  step: Step,
  layout: Columns,
  tokens: string,
  depth: number,
  write: string | undefined,
  { colors, width }: Style,
): string {
  const { at, settledAt, boundary } = step
  const took = settledAt === undefined ? '' : formatDuration(settledAt - at)
  const start = layout(String(step.step), formatDuration(at), took, tokens, write === undefined ? boundary : `${boundary} ${write}`)
  const room = Math.max(20, width - start.length - 2 * depth)
  const whole = { call: callText(step), result: resultText(step) }
  // A long call leaves room for its result.
  const call = cutText(whole.call, Math.max(room - whole.result.length - 3, Math.floor(room * 0.6)))
  const result = cutText(whole.result, Math.max(0, room - call.length - 3))
  const shown = write === undefined ? call : colors.yellow(call)
  return `${colors.dim(start)}${'  '.repeat(depth)}${shown} ${colors.dim('→')} ${step.error === undefined ? result : colors.red(result)}`
}

type Columns = (step: string, at: string, took: string, tokens: string, boundary: string) => string

/** Creates the columns; there is one for tokens if there are any. */
function createColumns(hasTokens: boolean): Columns {
  return (step, at, took, tokens, boundary) =>
    `  ${step.padStart(4)}  ${at.padStart(8)}  ${took.padStart(8)}  ${hasTokens ? `${tokens.padStart(10)}  ` : ''}${boundary.padEnd(10)}  `
}

/** Formats the input and output tokens of a model call: `520→31`. */
function tokensOf(call: ModelCall | undefined): string {
  const usage = call?.answer?.usage
  return usage === undefined ? '' : `${usage.inputTokens ?? '?'}→${usage.outputTokens ?? '?'}`
}

function depthOf(step: Step, steps: ReadonlyMap<number, Step>): number {
  const owner = steps.get(step.owner)
  return owner === undefined || owner.step >= step.step ? 0 : 1 + depthOf(owner, steps)
}

function formatEnd(trace: Trace, { colors, width }: Style, isFull: boolean): string[] {
  const { header, end, rows } = trace
  if (end === undefined) {
    const last = rows.reduce((latest, row) => ('at' in row ? Math.max(latest, row.at) : latest), 0)
    const why = header.forkedFrom === undefined ? 'the process died, or the run is still going' : 'the fork was stopped'
    const advice = `Did not end: ${why}. The last row is from ${formatDuration(last)}.`
    return [colors.yellow(advice), formatTotals(trace)]
  }
  const { error, output } = end
  const [what, text] = error === undefined ? ['Returned', valueText(output)] : ['Threw', errorText(error)]
  const line = cutText(`${what} ${text}`, isFull ? Infinity : width)
  return [error === undefined ? line : colors.red(line), formatTotals(trace), ...describeMuted(rows), ...describeWatch(trace)]
}

function describeMuted(rows: Trace['rows']): string[] {
  const { muted = 0 } = rows.findLast((row) => row.kind === 'closed') ?? {}
  return muted === 0 ? [] : [`Left out: ${count(muted, 'request')}, as telemetry or by mute.`]
}

/** Describes a note: `repeated side effect: refund_order: step 3 repeats step 2`. */
function describeNote({ what, where }: NoteRow): string {
  return printable(`${what.replaceAll('-', ' ')}: ${where}`)
}
