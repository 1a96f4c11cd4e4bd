import type { RawReads } from './raw/raw-entry.ts'

/** Gathers the synchronous draws of a run between two rows. */
export class ReadBuffer {
  #owners: Draws[] = []

  /** Returns the draws since the last call, one entry per owner; empty if there were none. */
  take(): readonly RawReads[] {
    if (this.#owners.length === 0) return this.#owners
    const taken = this.#owners
    this.#owners = []
    return taken
  }

  /** Returns the draws of one owner, to add to. */
  of(owner: number): Draws {
    for (const draws of this.#owners) if (draws.owner === owner) return draws
    const draws: Draws = { kind: 'reads', owner, clock: [], monotonic: [], random: [], uuid: [], bytes: [], facts: [] }
    this.#owners.push(draws)
    return draws
  }
}

/** The draws of one owner, which can be added to. */
export type Draws = { readonly [Key in keyof RawReads]: RawReads[Key] extends readonly (infer Drawn)[] ? Drawn[] : RawReads[Key] }
