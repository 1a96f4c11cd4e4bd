import { isCompletion, isSettling } from '../replay/calls/completions.ts'
import { digest } from '../replay/traces/digest.ts'
import { assembleTrace } from '../trace/assemble.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../trace/json.ts'
import type { CallRow, CheckpointRow, ClosedRow, CompletionRow, EndRow, ReadsRow, Row, TimerRow } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'
import { namesOfCheckpoints } from './fork-point.ts'

/** Returns the trace after a checkpoint, with what the rest needs from before it and the calls that were open there. */
export function tailTrace(trace: Trace, name: string, nth = 1): Trace {
  const { header, rows } = trace
  const places = rows.flatMap((row, place) => (row.kind === 'checkpoint' && row.by === undefined && row.name === name ? [place] : []))
  const place = places[nth - 1]
  const checkpoint = rows[place ?? -1]
  if (place === undefined || checkpoint?.kind !== 'checkpoint') throw noCheckpoint(trace, name, nth, places.length)
  if (checkpoint.owner !== 0) {
    throw new GoldenrunError(
      'GOLDENRUN_RESUME',
      `The checkpoint "${name}" is in a tool, so a run cannot resume there. Resume at one of the agent's own.`,
    )
  }
  const { golden: _, ...kept } = header
  const { at, state } = checkpoint
  const [before, after] = [rows.slice(1, place), rows.slice(place + 1)]
  const resumedFrom = { id: header.id, checkpoint: name, state, at, step: lastStep(before) }
  return assembleTrace([{ ...kept, resumedFrom }, ...openAt(checkpoint, before), ...behind(before, after)], digest)
}

/** Returns the calls that had not settled. */
function openAt({ at }: CheckpointRow, before: readonly Row[]): CallRow[] {
  const settled = new Set(before.flatMap((row) => (isSettling(row) ? [row.step] : [])))
  return before.flatMap((row) => (row.kind === 'call' && !settled.has(row.step) ? [{ ...row, at }] : []))
}

/** Returns the rows after the checkpoint, with what they depend on from earlier rows: clocks, ticks, first parts of open answers. */
function behind(before: readonly Row[], after: readonly Row[]): Row[] {
  const ticks = before.filter((row) => isCompletion(row) && row.sameTick !== true).length
  const early = Map.groupBy(before.filter(isPart), ({ step }) => step)
  const clocks = { clock: sumOf(before, 'clock'), monotonic: sumOf(before, 'monotonic') }
  return after.flatMap((row): Row[] => {
    if (row.kind === 'reads') return [withBases(row, clocks)]
    if (row.kind === 'end') return [withOverdue(withoutGiven(row), ticks)]
    if (row.kind === 'closed') return [withOverdue(row, ticks)]
    // A timer set before the checkpoint is not set again.
    if (row.kind === 'timer') return row.set < ticks ? [] : [{ ...row, set: row.set - ticks } satisfies TimerRow]
    if (!isCompletion(row) || row.kind === 'signal') return [row]
    const parts = early.get(row.step) ?? []
    early.delete(row.step)
    // These parts arrived before the checkpoint: here they arrive with the next part.
    return [
      ...parts.map((part, index) => withMark(part, index === 0 ? row : undefined)),
      parts.length === 0 ? row : withMark(row, undefined),
    ]
  })
}

/** The places of pieces that were handed out are among all calls of the run, and a resumed run hands out none of the earlier ones. */
function withoutGiven(row: EndRow): EndRow {
  return omitUndefined({ ...row, given: undefined })
}

/** Leaves out overdue timers that were set before the checkpoint, and counts the ticks of the others from there. */
function withOverdue<Last extends EndRow | ClosedRow>(row: Last, ticks: number): Last {
  if (row.overdue === undefined) return row
  return { ...row, overdue: row.overdue.flatMap((timer) => (timer.set < ticks ? [] : [{ ...timer, set: timer.set - ticks }])) }
}

/** Gives the first row of a tick the marks of another row, so that it has the same distance to the row before; other rows are in its tick. */
function withMark<Kind extends CompletionRow>(
  { sameTick: _tick, sameTurn: _turn, turns: _turns, ...row }: Kind,
  like: CompletionRow | undefined,
): Kind {
  const mark =
    like === undefined ? { sameTick: true } : omitUndefined({ sameTick: like.sameTick, sameTurn: like.sameTurn, turns: like.turns })
  return { ...row, ...mark } as Kind
}

/** Adds the reads before the checkpoint to the first read of each clock, which is a difference. Resets the values used in `clocks`. */
function withBases(row: ReadsRow, clocks: { clock: number; monotonic: number }): ReadsRow {
  const based = { ...row }
  for (const kind of ['clock', 'monotonic'] as const) {
    const [first, ...others] = row[kind] ?? []
    if (first === undefined) continue
    Object.assign(based, { [kind]: [first + clocks[kind], ...others] })
    clocks[kind] = 0
  }
  return based
}

function sumOf(rows: readonly Row[], kind: 'clock' | 'monotonic'): number {
  return rows.reduce(
    (sum, row) => sum + (row.kind === 'reads' ? (row[kind] ?? []).reduce((part, difference) => part + difference, 0) : 0),
    0,
  )
}

function isPart(row: Row): row is Extract<Row, { readonly kind: 'head' | 'chunk' }> {
  return row.kind === 'head' || row.kind === 'chunk'
}

function lastStep(rows: readonly Row[]): number {
  return rows.reduce((last, row) => (row.kind === 'call' ? Math.max(last, row.step) : last), 0)
}

function noCheckpoint({ header, checkpoints }: Trace, name: string, nth: number, found: number): GoldenrunError {
  const known = found === 0 ? namesOfCheckpoints(checkpoints) : `It was reached ${found} times.`
  const which = nth === 1 ? '' : ` ${nth} times`
  return new GoldenrunError(
    'GOLDENRUN_RESUME',
    `The run "${header.golden?.name ?? header.id}" did not reach the checkpoint "${name}"${which}. ${known}`,
  )
}
