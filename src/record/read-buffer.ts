import type { ReadsRow } from '../trace/rows.ts'

/** Gathers the synchronous draws of a run between two rows, packed as the trace keeps them. */
export class ReadBuffer {
  readonly #owners = new Map<number, Draws>()
  #lastClock: number
  #lastMonotonic = 0

  /** @param startedAt Milliseconds since the epoch: what the first clock read is a difference to. */
  constructor(startedAt: number) {
    this.#lastClock = startedAt
  }

  clock(owner: number, value: number): void {
    this.#drawsOf(owner).clock.push(value)
  }

  monotonic(owner: number, value: number): void {
    this.#drawsOf(owner).monotonic.push(value)
  }

  random(owner: number, value: number): void {
    this.#drawsOf(owner).random.push(value)
  }

  uuid(owner: number, value: string): void {
    this.#drawsOf(owner).uuid.push(value)
  }

  bytes(owner: number, value: Uint8Array): void {
    this.#drawsOf(owner).bytes.push(value)
  }

  /** The rows of what was drawn since the last call; none when nothing was. */
  take(): ReadsRow[] {
    if (this.#owners.size === 0) return []
    const rows = [...this.#owners].map(([owner, draws]) => this.#toRow(owner, draws))
    this.#owners.clear()
    return rows
  }

  #toRow(owner: number, draws: Draws): ReadsRow {
    // In the order of the rows, not of the draws: those of several owners may alternate.
    const clock = differences(draws.clock, this.#lastClock)
    const monotonic = differences(draws.monotonic, this.#lastMonotonic)
    this.#lastClock = draws.clock.at(-1) ?? this.#lastClock
    this.#lastMonotonic = draws.monotonic.at(-1) ?? this.#lastMonotonic
    return {
      kind: 'reads',
      owner,
      ...(draws.clock.length > 0 && { clock }),
      ...(draws.monotonic.length > 0 && { monotonic }),
      ...(draws.random.length > 0 && { random: packDoubles(draws.random) }),
      ...(draws.uuid.length > 0 && { uuid: draws.uuid }),
      ...(draws.bytes.length > 0 && { bytes: draws.bytes }),
    }
  }

  #drawsOf(owner: number): Draws {
    let draws = this.#owners.get(owner)
    if (draws === undefined) {
      draws = { clock: [], monotonic: [], random: [], uuid: [], bytes: [] }
      this.#owners.set(owner, draws)
    }
    return draws
  }
}

interface Draws {
  readonly clock: number[]
  readonly monotonic: number[]
  readonly random: number[]
  readonly uuid: string[]
  readonly bytes: Uint8Array[]
}

/** Each value as the difference to the one before it. */
function differences(values: readonly number[], before: number): number[] {
  return values.map((value, index) => value - (values[index - 1] ?? before))
}

function packDoubles(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 8))
  for (const [index, value] of values.entries()) view.setFloat64(index * 8, value, true)
  return new Uint8Array(view.buffer)
}
