import type { CheckpointRow, Row } from '../../../trace/rows.ts'
import { isSettling } from '../../calls/completions.ts'

/**
 * The rows with each checkpoint of these names moved to where the replay reached it: after the steps of its owner that had settled by then.
 */
export function moveCheckpoints(rows: readonly Row[], replayed: readonly Row[], names: ReadonlySet<string>): Row[] {
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

/** The checkpoints by owner, name and how many of that name there were, in order. */
function placesOf(rows: readonly Row[]): ReadonlyMap<string, Place> {
  const owners = new Map<number, number>()
  const settled = new Map<number, number[]>()
  const seen = new Map<string, number>()
  const places = new Map<string, Place>()
  for (const row of rows) {
    if (row.kind === 'call') owners.set(row.step, row.owner)
    if (isSettling(row)) {
      const owner = owners.get(row.step) ?? 0
      settled.set(owner, [...(settled.get(owner) ?? []), row.step])
    }
    if (row.kind !== 'checkpoint' || row.by !== undefined) continue
    const key = `${row.owner} ${row.name}`
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    places.set(`${key} ${count}`, { row, settled: (settled.get(row.owner) ?? []).toSorted((a, b) => a - b) })
  }
  return places
}

/** The place after the last of the steps and its related rows; without steps, after the call of the owner. */
function placeBehind(rows: readonly Row[], owner: number, steps: ReadonlySet<number>): number {
  const last = rows.findLastIndex((row) => (isSettling(row) && steps.has(row.step)) || (row.kind === 'call' && row.step === owner))
  const next = rows.findIndex((row, index) => index > Math.max(last, 0) && !isWithLast(row))
  return next === -1 ? rows.length : next
}

/** Whether a row comes between a completion and what the agent did next. */
function isWithLast(row: Row): boolean {
  return row.kind === 'checkpoint' || row.kind === 'reads' || ('sameTick' in row && row.sameTick)
}
