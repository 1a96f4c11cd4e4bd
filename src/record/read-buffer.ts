import type { Fact } from '../trace/rows.ts'
import type { RawReads } from './raw/raw-entry.ts'

/** Gathers the synchronous draws of a run between two rows. */
export class ReadBuffer {
  #owners: Draws[] = []

  /** What was drawn since the last call, an entry an owner; none when nothing was. */
  take(): readonly RawReads[] {
    if (this.#owners.length === 0) return this.#owners
    const taken = this.#owners
    this.#owners = []
    return taken
  }

  /** The draws of one owner, to which more are added. */
  of(owner: number): Draws {
    for (const draws of this.#owners) if (draws.owner === owner) return draws
    const draws: Draws = { kind: 'reads', owner, clock: [], monotonic: [], random: [], uuid: [], bytes: [], facts: [] }
    this.#owners.push(draws)
    return draws
  }
}

/** Draws of one owner, which may be added to. */
export interface Draws extends RawReads {
  readonly clock: number[]
  readonly monotonic: number[]
  readonly random: number[]
  readonly uuid: string[]
  readonly bytes: Uint8Array[]
  readonly facts: Fact[]
}
