import { knownOrMade } from '../../trace/remember.ts'
import type { DrawKind, MadeDraw } from '../judge/draws/correspondence.ts'
import type { PlannedReads } from './plan.ts'
import { unpackDoubles } from '../../trace/codec/reads-codec.ts'
import type { Fact } from '../../trace/rows.ts'

/** A draw, with the tick in which it was made. */
export interface Draw<Value> {
  readonly tick: number
  /** How many steps had been called before it. */
  readonly calls: number
  readonly value: Value
}

/** The kinds of draws, with their values. */
export interface DrawnKinds {
  readonly clock: number
  readonly monotonic: number
  readonly random: number
  readonly uuid: string
  readonly bytes: Uint8Array
  readonly facts: Fact
}

/** The draws of an owner in a recording, by kind, in order. */
export type RecordedDraws = { readonly [Kind in keyof DrawnKinds]: Draw<DrawnKinds[Kind]>[] }

const unpacked = new WeakMap<readonly PlannedReads[], ReadonlyMap<number, RecordedDraws>>()

/**
 * The draws of a recording by owner, unpacked once for all of its replays.
 *
 * @param reads The reads of a plan, which belong to one trace.
 * @param startedAt When the recorded run started, in milliseconds since the epoch.
 */
export function recordedDraws(reads: readonly PlannedReads[], startedAt: number): ReadonlyMap<number, RecordedDraws> {
  return knownOrMade(unpacked, reads, () => unpack(reads, startedAt))
}

/** The same draws in one list, by kind and owner, without those that are not values of the run. */
export function drawnInRecording(reads: readonly PlannedReads[], startedAt: number): MadeDraw[] {
  return [...recordedDraws(reads, startedAt)].flatMap(([owner, draws]) =>
    kinds.flatMap((kind) => draws[kind].map((draw, order): MadeDraw => ({ kind, order, owner, ...draw }))),
  )
}

const kinds: readonly DrawKind[] = ['clock', 'random', 'uuid', 'bytes']

function unpack(reads: readonly PlannedReads[], startedAt: number): ReadonlyMap<number, RecordedDraws> {
  const owners = new Map<number, RecordedDraws>()
  let clock = startedAt
  let monotonic = 0
  for (const { tick, row, calls, isAnswered } of reads) {
    const clocks = (row.clock ?? []).map((difference) => (clock += difference))
    const monotonics = (row.monotonic ?? []).map((difference) => (monotonic += difference))
    if (!isAnswered) continue
    const draws = knownOrMade(owners, row.owner, () => ({ clock: [], monotonic: [], random: [], uuid: [], bytes: [], facts: [] }))
    for (const value of clocks) draws.clock.push({ tick, calls, value })
    for (const value of monotonics) draws.monotonic.push({ tick, calls, value })
    for (const value of unpackDoubles(row)) draws.random.push({ tick, calls, value })
    for (const value of row.uuid ?? []) draws.uuid.push({ tick, calls, value })
    for (const value of row.bytes ?? []) draws.bytes.push({ tick, calls, value })
    for (const value of row.facts ?? []) draws.facts.push({ tick, calls, value })
  }
  return owners
}
