import type { ReadsRow } from '../../trace/rows.ts'
import type { RawReads } from '../raw/raw-entry.ts'

/** Packs the draws of a run in the format of the trace. */
export class ReadPacker {
  #lastClock: number
  #lastMonotonic = 0

  /** @param startedAt Milliseconds since the epoch, from which the first clock read is counted. */
  constructor(startedAt: number) {
    this.#lastClock = startedAt
  }

  /** @param draws In the order of their rows, which may differ from the order of the draws: draws of several owners may alternate. */
  toRow({ owner, clock, monotonic, random, uuid, bytes, facts }: RawReads): ReadsRow {
    const [fromClock, fromMonotonic] = [differences(clock, this.#lastClock), differences(monotonic, this.#lastMonotonic)]
    this.#lastClock = clock.at(-1) ?? this.#lastClock
    this.#lastMonotonic = monotonic.at(-1) ?? this.#lastMonotonic
    return {
      kind: 'reads',
      owner,
      ...(clock.length > 0 && { clock: fromClock }),
      ...(monotonic.length > 0 && { monotonic: fromMonotonic }),
      ...(random.length > 0 && { random: packDoubles(random) }),
      ...(uuid.length > 0 && { uuid }),
      ...(bytes.length > 0 && { bytes }),
      ...(facts.length > 0 && { facts }),
    }
  }
}

/** Returns each value as the difference from the previous one. */
function differences(values: readonly number[], before: number): number[] {
  return values.map((value, index) => value - (values[index - 1] ?? before))
}

function packDoubles(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 8))
  for (const [index, value] of values.entries()) view.setFloat64(index * 8, value, true)
  return new Uint8Array(view.buffer)
}
