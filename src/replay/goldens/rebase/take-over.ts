import type { Divergence } from '../../../divergence/divergence.ts'
import { knownOrMade } from '../../../trace/remember.ts'
import { canonical } from '../../../trace/hash.ts'
import { withStandIns } from '../../../redaction/stand-in-rows.ts'
import { omitUndefined } from '../../../trace/json.ts'
import type { CallRow, CheckpointRow, EndRow, Row } from '../../../trace/rows.ts'
import type { Trace } from '../../../trace/trace.ts'
import { toRecorded } from '../../../trace/values.ts'
import { ReplayRedaction } from '../../calls/replay-redaction.ts'
import type { ReplayedRun } from '../../contract/replayed-run.ts'
import type { ReplayOptions } from '../../contract/replay-options.ts'
import { isSettling } from '../../calls/completions.ts'

/** The rows of a trace, with the differences of a continued replay applied: inputs, checkpoints, the outcome. */
export function takeOver(trace: Trace, run: ReplayedRun, redact: ReplayOptions['redact']): Row[] {
  const inputs = new Set(run.divergences.flatMap(({ cause, step }) => (cause === 'input' ? [step] : [])))
  const checkpoints = pairCheckpoints(trace, run)
  const redaction = new ReplayRedaction(run.toTrace(), redact)
  const isOtherEnd = run.divergences.some(({ cause }) => cause === 'outcome')
  const rows = trace.rows.flatMap((row): Row[] => {
    if (row.kind === 'call' && inputs.has(row.step)) return [takeInput(row, run, redaction)]
    if (row.kind === 'checkpoint') return checkpoints.inPlaceOf(row)
    if (row.kind === 'end' && isOtherEnd) return [takeEnd(row, run)]
    return [row]
  })
  for (const { row, after } of checkpoints.added) rows.splice(placeAfter(rows, after), 0, row)
  const moved = run.divergences.flatMap(({ cause, name = '', differences }) =>
    cause === 'checkpoint' && differences[0]?.path === 'place' ? [name] : [],
  )
  const taken = moved.length === 0 ? rows : moveCheckpoints(rows, run.toTrace().rows, new Set(moved))
  return withStandIns(taken, redaction.standIns)
}

/** The rows of a trace with new inputs at some steps. */
export function takeInputs(trace: Trace, run: ReplayedRun, steps: ReadonlySet<number>, redact: ReplayOptions['redact']): Row[] {
  const redaction = new ReplayRedaction(run.toTrace(), redact)
  const rows = trace.rows.map((row) => (row.kind === 'call' && steps.has(row.step) ? takeInput(row, run, redaction) : row))
  return withStandIns(rows, redaction.standIns)
}

function takeInput(row: CallRow, run: ReplayedRun, redaction: ReplayRedaction): CallRow {
  const live = run.steps.find(({ step }) => step === row.step)
  if (live === undefined) return row
  const { idempotencyKey: _key, credentials: _credentials, client: _client, ...recorded } = row
  const { idempotencyKey: key, credentials, client, input } = live
  return {
    ...recorded,
    ...(key === undefined ? {} : { idempotencyKey: redaction.toText(key) }),
    ...omitUndefined({ credentials, client }),
    input,
  }
}

function takeEnd({ at, usage, overdue }: EndRow, run: ReplayedRun): EndRow {
  const { kind, output, error, given } = run.toTrace().end ?? { kind: 'end' }
  return omitUndefined({ kind, output, error, at, usage, overdue, given })
}

/** The new states of recorded checkpoints, and added checkpoints. */
interface PairedCheckpoints {
  inPlaceOf(row: CheckpointRow): CheckpointRow[]
  /** Added checkpoints, with the recorded step before each. */
  readonly added: readonly { readonly row: CheckpointRow; readonly after: number }[]
}

/** Pairs checkpoints as comparisons do: in order, by owner and name. Those without a difference stay unchanged. */
function pairCheckpoints(trace: Trace, { checkpoints, divergences }: ReplayedRun): PairedCheckpoints {
  const told = divergences.filter(({ cause }) => cause === 'checkpoint')
  const live = [...checkpoints]
  const replacements = new Map<CheckpointRow, CheckpointRow[]>()
  for (const row of trace.checkpoints) {
    const index = live.findIndex(({ owner, name }) => owner === row.owner && name === row.name)
    const [reached] = index === -1 ? [] : live.splice(index, 1)
    if (reached !== undefined && isTold(told, row, reached)) replacements.set(row, [{ ...row, state: reached.state }])
    if (reached === undefined && isTold(told, row, undefined)) replacements.set(row, [])
  }
  return {
    inPlaceOf: (row) => replacements.get(row) ?? [row],
    added: live.map((row) => ({ row, after: told.find((one) => one.name === row.name && one.expected === undefined)?.step ?? 0 })),
  }
}

function isTold(told: readonly Divergence[], row: CheckpointRow, reached: CheckpointRow | undefined): boolean {
  const isOther = reached === undefined || canonical(toRecorded(row.state)) !== canonical(toRecorded(reached.state))
  return isOther && told.some(({ name, received }) => name === row.name && (received === undefined) === (reached === undefined))
}

/** The place before the next step after a given one, or before the end. */
function placeAfter(rows: readonly Row[], step: number): number {
  const place = rows.findIndex((row) => row.kind === 'end' || (row.kind === 'call' && row.step > step))
  return place === -1 ? rows.length : place
}

/**
 * The rows, with each checkpoint of these names moved to where the replay reached it: after the steps of its owner that had settled by then.
 */
function moveCheckpoints(rows: readonly Row[], replayed: readonly Row[], names: ReadonlySet<string>): Row[] {
  const moved = [...rows]
  const reached = placesOf(replayed)
  for (const [key, { row, settled }] of placesOf(rows)) {
    const live = reached.get(key)?.settled
    if (!names.has(row.name) || live === undefined || live.join(' ') === settled.join(' ')) continue
    moved.splice(moved.indexOf(row), 1)
    moved.splice(placeBehind(moved, row.owner, new Set(live)), 0, row)
  }
  return moved
}

interface Place {
  readonly row: CheckpointRow
  /** The steps of its owner that had settled, in ascending order. */
  readonly settled: readonly number[]
}

/** The places of checkpoints by owner, name and position among those of the same name. */
function placesOf(rows: readonly Row[]): ReadonlyMap<string, Place> {
  const owners = new Map<number, number>()
  const settled = new Map<number, number[]>()
  const seen = new Map<string, number>()
  const places = new Map<string, Place>()
  for (const row of rows) {
    if (row.kind === 'call') owners.set(row.step, row.owner)
    if (isSettling(row)) {
      knownOrMade(settled, owners.get(row.step) ?? 0, () => []).push(row.step)
    }
    if (row.kind !== 'checkpoint' || row.by !== undefined) continue
    const key = `${row.owner} ${row.name}`
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    places.set(`${key} ${count}`, { row, settled: (settled.get(row.owner) ?? []).toSorted((a, b) => a - b) })
  }
  return places
}

/** The place after the last of the steps and its related rows; without steps, after the owner's call. */
function placeBehind(rows: readonly Row[], owner: number, steps: ReadonlySet<number>): number {
  const last = rows.findLastIndex((row) => (isSettling(row) && steps.has(row.step)) || (row.kind === 'call' && row.step === owner))
  const next = rows.findIndex((row, index) => index > Math.max(last, 0) && !isWithLast(row))
  return next === -1 ? rows.length : next
}

/** Whether a row comes between a completion and what the agent did next. */
function isWithLast(row: Row): boolean {
  return row.kind === 'checkpoint' || row.kind === 'reads' || ('sameTick' in row && row.sameTick)
}
