import type { Trace } from '../../trace/trace.ts'
import { isCompletion, isOwnDoing } from './completions.ts'

const none: readonly PlannedPieces[] = []

/** Pieces that the recorded run handed out at one place among its calls. */
export interface PlannedPieces {
  /** An index into the rows: behind what had been made and had settled. */
  readonly place: number
  /** The last tick before them, and its turn of the event loop. */
  readonly tick: number
  readonly turn: number
  /** Whose they are: the run's own. The name is that of the part. */
  readonly row: { readonly owner: number; readonly name: string }
  /** The first and the last of them, counted from 1 within their part. */
  readonly first: number
  readonly last: number
}

/** The pieces that the recorded run handed out; none if the recorder did not keep their places. */
export function planPieces({ rows, end }: Pick<Trace, 'rows' | 'end'>): readonly PlannedPieces[] {
  if (end?.given === undefined) return none
  const made: number[] = []
  const settled: number[] = []
  const turns = [0]
  let turn = 0
  for (const [place, row] of rows.entries()) {
    if (row.kind === 'call') made.push(place)
    if (row.kind === 'return' || row.kind === 'throw') settled.push(place)
    if (!isCompletion(row) || isOwnDoing(row) || row.sameTick === true) continue
    if (row.sameTurn !== true) turn += 1
    turns.push(turn)
  }
  const counts = new Map<string, number>()
  return end.given.map(({ part: name = '', pieces, made: calls, settled: answers, tick }) => {
    const before = counts.get(name) ?? 0
    counts.set(name, before + pieces)
    const place = Math.max(made[calls - 1] ?? 0, settled[answers - 1] ?? 0) + 0.5
    return { place, tick, turn: turns[tick] ?? turn, row: { owner: 0, name }, first: before + 1, last: before + pieces }
  })
}
