import { assembleStep } from '../../trace/assemble.ts'
import { omitUndefined } from '../../trace/json.ts'
import { decodeChecked } from '../../trace/decode-checked.ts'
import type { EncodedRow } from '../../trace/codec/encoded-rows.ts'
import { type SideEffect, repeatedSideEffects, sideEffectsOf } from '../../trace/side-effects.ts'
import type { CheckpointRow, ChunkRow, NoteRow } from '../../trace/rows.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { EmbeddedRun, PageComparison, RunPage } from '../page-data.ts'
import { type Drawn, readsOf } from './reads.ts'

/** A run as the page shows it. */
export interface ViewedRun {
  readonly name: string
  readonly trace: Trace
  readonly flags: readonly string[]
  /** The variables around each step, if they were read. */
  readonly variables: NonNullable<EmbeddedRun['variables']>
  /** In the order of time. */
  readonly entries: readonly Entry[]
  readonly steps: ReadonlyMap<number, ViewedStep>
  readonly checkpoints: readonly ViewedCheckpoint[]
  /** The number of lanes that its steps need. */
  readonly lanes: number
  /** When its last row happened, in milliseconds since the run started. */
  readonly endsAt: number
  /** The time up to which unsettled calls are drawn: after `endsAt`, so that a call made at the very end is visible. */
  readonly drawnTo: number
}

/** A line of the page's list. */
export type Entry =
  | { readonly kind: 'input'; readonly key: 'input'; readonly at: 0 }
  | { readonly kind: 'step'; readonly key: string; readonly at: number; readonly step: ViewedStep }
  | { readonly kind: 'checkpoint'; readonly key: string; readonly at: number; readonly checkpoint: ViewedCheckpoint }
  | { readonly kind: 'note'; readonly key: string; readonly at: number; readonly note: NoteRow }
  | { readonly kind: 'outcome'; readonly key: 'outcome'; readonly at: number }

/** A step, with the information from the rows around it. */
export interface ViewedStep {
  readonly step: Step
  /** Its number. For a replay, the number of the recorded step, or `+` if there is none. */
  readonly label: string
  /** Whether its answer broke off; then its output is what had arrived. */
  readonly isCut: boolean
  /** How many steps enclose it. */
  readonly depth: number
  readonly lane: number
  /** The chunks of a stream that arrived, with their times. */
  readonly chunks: readonly ChunkRow[]
  /** When the head of an answer arrived. */
  readonly headAt?: number
  readonly sideEffect?: SideEffect
  /** The step whose side effect this step repeats. */
  readonly repeats?: number
  /** The attempt before this one, and how long the agent waited after it. */
  readonly retries?: { readonly step: number; readonly waited: number }
  /** The values read from the clock and random sources before the step, or in its body. */
  readonly reads: readonly Drawn[]
  /** The delays of the timers that fired since the step before. */
  readonly timers: readonly number[]
}

/** A checkpoint, with the checkpoint before it. */
export interface ViewedCheckpoint {
  readonly row: CheckpointRow
  readonly index: number
  readonly before?: CheckpointRow
}

/** Lays out the runs of a page. The steps of a replay have the numbers of the recorded steps. */
export function viewRuns({ runs, comparisons }: RunPage): ViewedRun[] {
  return runs.map((run, index) => viewRun(run, labelsOf(comparisons[index - 1])))
}

function labelsOf(comparison: PageComparison | undefined): ((step: number) => string) | undefined {
  if (comparison?.kind !== 'replay') return undefined
  const recorded = new Map(comparison.pairs.map(([a, b]) => [b, a]))
  return (step) => String(recorded.get(step) ?? '+')
}

/**
 * Reads a trace and lays it out. The rows of a page were already checked when the page was made.
 *
 * @param labels The labels of its steps. Default: their numbers.
 */
export function viewRun({ name, text, flags = [], variables = {} }: EmbeddedRun, labels: (step: number) => string = String): ViewedRun {
  const trace = decodeChecked(text, name, withoutDigest, { row: (row) => ({ row: row as unknown as EncodedRow }), value: () => undefined })
  const steps = viewSteps(trace, labels)
  const checkpoints = viewCheckpoints(trace)
  const endsAt = trace.rows.reduce((latest, row) => ('at' in row ? Math.max(latest, row.at) : latest), 0)
  const drawnTo = trace.steps.every(({ settledAt }) => settledAt !== undefined) ? endsAt : endsAt * 1.04 + 1
  const lanes = 1 + [...steps.values()].reduce((most, { lane }) => Math.max(most, lane), 0)
  return {
    name,
    trace,
    flags,
    variables,
    entries: entriesOf(trace, steps, checkpoints, endsAt),
    steps,
    checkpoints,
    lanes,
    endsAt,
    drawnTo,
  }
}

/** Pages do not show the hash of a trace. */
function withoutDigest(): string {
  return ''
}

function viewSteps(trace: Trace, labels: (step: number) => string): Map<number, ViewedStep> {
  const { header, steps, rows } = trace
  const effects = new Map(sideEffectsOf(steps, header).map((effect) => [effect.step, effect]))
  const repeated = new Map(repeatedSideEffects([...effects.values()]).map(({ step, first }) => [step, first]))
  const chunks = Map.groupBy(
    rows.filter((row) => row.kind === 'chunk'),
    ({ step }) => step,
  )
  const heads = new Map(rows.flatMap((row) => (row.kind === 'head' ? [[row.step, row] as const] : [])))
  const calls = new Map(rows.flatMap((row) => (row.kind === 'call' ? [[row.step, row] as const] : [])))
  const lanes = lanesOf(steps)
  const reads = readsOf(trace)
  const timers = timersOf(trace)
  const depths = new Map<number, number>()
  return new Map(
    steps.map((step): [number, ViewedStep] => {
      const [call, head] = [calls.get(step.step), heads.get(step.step)]
      const isCut = step.error !== undefined && step.output === undefined && head !== undefined
      const arrived = isCut && call ? assembleStep({ call, head, chunks: chunks.get(step.step) ?? [] }).output : step.output
      const depth = step.owner === 0 ? 0 : (depths.get(step.owner) ?? 0) + 1
      depths.set(step.step, depth)
      return [
        step.step,
        {
          step: isCut ? { ...step, output: arrived } : step,
          isCut,
          label: labels(step.step),
          depth,
          lane: lanes.get(step.step) ?? 0,
          chunks: chunks.get(step.step) ?? [],
          reads: reads.get(step.step) ?? [],
          timers: timers.get(step.step) ?? [],
          ...omitUndefined({
            headAt: head?.at,
            sideEffect: effects.get(step.step),
            repeats: repeated.get(step.step),
            retries: retriesOf(step, steps),
          }),
        },
      ]
    }),
  )
}

/** Returns the attempt before a retry: the same call, made and settled before it. */
function retriesOf({ attempt = 1, step: number, boundary, name, owner, at }: Step, steps: readonly Step[]): ViewedStep['retries'] {
  if (attempt < 2) return undefined
  const before = steps.findLast(
    (step) =>
      step.step < number &&
      step.boundary === boundary &&
      step.name === name &&
      step.owner === owner &&
      (step.attempt ?? 1) === attempt - 1 &&
      (step.settledAt ?? Infinity) <= at,
  )
  return before && { step: before.step, waited: at - (before.settledAt ?? at) }
}

/** Returns the delays of the timers that fired before each step, since the step before. */
function timersOf({ rows }: Trace): Map<number, number[]> {
  const timers = new Map<number, number[]>()
  let fired: number[] = []
  for (const row of rows) {
    if (row.kind === 'timer') fired.push(row.delay)
    if (row.kind !== 'call') continue
    if (fired.length > 0) timers.set(row.step, fired)
    fired = []
  }
  return timers
}

function viewCheckpoints({ rows }: Trace): ViewedCheckpoint[] {
  const all = rows.filter((row) => row.kind === 'checkpoint')
  return all.map((row, index) => ({ row, index: index + 1, ...omitUndefined({ before: all[index - 1] }) }))
}

function entriesOf(
  { rows, end }: Trace,
  steps: ReadonlyMap<number, ViewedStep>,
  checkpoints: readonly ViewedCheckpoint[],
  endsAt: number,
): Entry[] {
  const entries: Entry[] = [{ kind: 'input', key: 'input', at: 0 }]
  let [checkpointsSeen, notes] = [0, 0]
  for (const row of rows) {
    const step = row.kind === 'call' ? steps.get(row.step) : undefined
    if (step !== undefined) entries.push({ kind: 'step', key: `step=${step.step.step}`, at: step.step.at, step })
    if (row.kind === 'note') entries.push({ kind: 'note', key: `note=${(notes += 1)}`, at: row.at, note: row })
    if (row.kind === 'end') entries.push({ kind: 'outcome', key: 'outcome', at: row.at })
    const checkpoint = row.kind === 'checkpoint' ? checkpoints[checkpointsSeen++] : undefined
    if (checkpoint !== undefined) {
      entries.push({ kind: 'checkpoint', key: `checkpoint=${checkpoint.index}`, at: checkpoint.row.at, checkpoint })
    }
  }
  return end === undefined ? [...entries, { kind: 'outcome', key: 'outcome', at: endsAt }] : entries
}

/**
 * Assigns a lane to each step, so that steps in flight at the same time are next to each other. A step gets the first free lane below the lane of its
 * enclosing step.
 */
export function lanesOf(steps: readonly Step[]): Map<number, number> {
  const lanes = new Map<number, number>()
  const freeAt: number[] = []
  for (const { step, owner, at, settledAt = Infinity } of steps) {
    let lane = owner === 0 ? 0 : (lanes.get(owner) ?? -1) + 1
    while ((freeAt[lane] ?? 0) > at) lane += 1
    freeAt[lane] = settledAt
    lanes.set(step, lane)
  }
  return lanes
}
