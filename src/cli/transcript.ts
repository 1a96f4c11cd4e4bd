import { cutText } from '../divergence/print-value.ts'
import type { NoteRow } from '../trace/rows.ts'
import type { Step, Trace } from '../trace/trace.ts'
import { describeExpectation } from './describe-expectation.ts'
import { callText, errorText, resultText, valueText } from './describe-step.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'
import { formatDuration, formatTime } from './units.ts'

type Style = Pick<Terminal, 'colors' | 'width'>

/** A trace as a person reads it: what it is, each step in a line with checkpoints and notes between, what came of it. */
export function formatTranscript(trace: Trace, style: Style): string[] {
  return [...formatHeader(trace, style), '', ...formatSteps(trace, style), '', ...formatEnd(trace, style)]
}

/** Labelled lines; those without a text are left out. */
export function formatFields(fields: readonly (readonly [label: string, text: string | undefined])[], { colors, width }: Style): string[] {
  const given = fields.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text: printable(text) }]))
  const column = Math.max(...given.map(({ label }) => label.length))
  return given.map(({ label, text }) => `  ${colors.dim(label.padEnd(column))}  ${cutText(text, width - column - 4)}`)
}

function formatHeader({ header }: Trace, style: Style): string[] {
  const { id, agent, agentVersion, golden, input, runtime, startedAt, tags = {} } = header
  const version = agentVersion === undefined ? '' : ` ${agentVersion}`
  const title = golden === undefined ? `Recording ${id}` : `Golden trace ${golden.name}`
  const fields = formatFields(
    [
      ['about', golden?.description],
      ['expected', golden?.expectedOutcome],
      ['holds when', golden && describeExpectation(golden.expect)],
      ['promoted', golden && `${formatTime(golden.promotedAt)} from ${golden.promotedFrom}`],
      ['started', formatTime(startedAt)],
      ['ran on', `node ${runtime.node}, goldenrun ${runtime.goldenrun}, ${runtime.timeZone}, ${runtime.locale}`],
      [
        'tags',
        Object.keys(tags).length === 0
          ? undefined
          : Object.entries(tags)
              .map((tag) => tag.join('='))
              .join(', '),
      ],
      ['input', valueText(input)],
    ],
    style,
  )
  return [style.colors.bold(printable(`${title}, agent ${agent}${version}`)), ...fields]
}

function formatSteps({ rows, steps }: Trace, { colors, width }: Style): string[] {
  const byNumber = new Map(steps.map((step) => [step.step, step]))
  const lines: string[] = [colors.dim(columns('step', 'at', 'took', 'boundary').trimEnd())]
  const aside = columns('', '', '', '')
  for (const row of rows) {
    const step = row.kind === 'call' ? byNumber.get(row.step) : undefined
    if (step !== undefined) lines.push(formatStep(step, depthOf(step, byNumber), { colors, width }))
    if (row.kind === 'checkpoint')
      lines.push(colors.cyan(cutText(printable(`${aside}checkpoint ${row.name} ${valueText(row.state)}`), width)))
    if (row.kind === 'signal') lines.push(colors.cyan(cutText(printable(`${aside}signal ${row.name}`), width)))
    if (row.kind === 'note') lines.push(colors.yellow(cutText(`${aside}${describeNote(row)}`, width)))
  }
  return lines.length === 1 ? ['  No steps.'] : lines
}

function formatStep(step: Step, depth: number, { colors, width }: Style): string {
  const { at, settledAt, boundary, effect } = step
  const took = settledAt === undefined ? '' : formatDuration(settledAt - at)
  const start = columns(String(step.step), formatDuration(at), took, effect === 'write' ? `${boundary} write` : boundary)
  const room = Math.max(20, width - start.length - 2 * depth)
  const whole = { call: callText(step), result: resultText(step) }
  // A long call leaves room for what came of it.
  const call = cutText(whole.call, Math.max(room - whole.result.length - 3, Math.floor(room * 0.6)))
  const result = cutText(whole.result, Math.max(0, room - call.length - 3))
  return `${colors.dim(start)}${'  '.repeat(depth)}${call} ${colors.dim('→')} ${step.error === undefined ? result : colors.red(result)}`
}

function columns(step: string, at: string, took: string, boundary: string): string {
  return `  ${step.padStart(4)}  ${at.padStart(8)}  ${took.padStart(8)}  ${boundary.padEnd(10)}  `
}

function depthOf(step: Step, steps: ReadonlyMap<number, Step>): number {
  const owner = steps.get(step.owner)
  return owner === undefined || owner.step >= step.step ? 0 : 1 + depthOf(owner, steps)
}

function formatEnd({ end, rows }: Trace, style: Style): string[] {
  const { colors } = style
  if (end === undefined) {
    const last = Math.max(0, ...rows.map((row) => ('at' in row ? row.at : 0)))
    return [colors.yellow(`Did not end: the process died, or the run still goes on. The last row is from ${formatDuration(last)}.`)]
  }
  const { error, output, usage = NO_USAGE } = end
  const [what, text] = error === undefined ? ['Returned', valueText(output)] : ['Threw', errorText(error)]
  const line = cutText(`${what} ${text}`, style.width)
  const tokens = usage.inputTokens + usage.outputTokens === 0 ? '' : `, ${usage.inputTokens} input and ${usage.outputTokens} output tokens`
  return [error === undefined ? line : colors.red(line), `Took ${formatDuration(end.at)}${tokens}.`]
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

/** A note in words: `repeated side effect: refund_order: step 3 repeats step 2`. */
function describeNote({ what, where }: NoteRow): string {
  return printable(`${what.replaceAll('-', ' ')}: ${where}`)
}
