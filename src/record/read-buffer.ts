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
export type Draws = { readonly [Key in keyof RawReads]: RawReads[Key] extends readonly (infer Drawn)[] ? Drawn[] : RawReads[Key] }
