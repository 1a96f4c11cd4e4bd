import type { RawReads } from './raw/raw-entry.ts'

/** Gathers the synchronous draws of a run between two rows. */
export class ReadBuffer {
  #owners: Draws[] = []

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

  /** What was drawn since the last call, an entry an owner; none when nothing was. */
  take(): readonly RawReads[] {
    if (this.#owners.length === 0) return this.#owners
    const taken = this.#owners
    this.#owners = []
    return taken
  }

  #drawsOf(owner: number): Draws {
    for (const draws of this.#owners) if (draws.owner === owner) return draws
    const draws: Draws = { kind: 'reads', owner, clock: [], monotonic: [], random: [], uuid: [], bytes: [] }
    this.#owners.push(draws)
    return draws
  }
}

interface Draws extends RawReads {
  readonly clock: number[]
  readonly monotonic: number[]
  readonly random: number[]
  readonly uuid: string[]
  readonly bytes: Uint8Array[]
}
