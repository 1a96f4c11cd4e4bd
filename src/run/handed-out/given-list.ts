import type { GivenPieces, RunPlace } from '../../trace/given-pieces.ts'

/** Collects the pieces that a run hands out. */
export class GivenList {
  readonly #list: { part?: string; pieces: number; readonly made: number; readonly settled: number; readonly tick: number }[] = []

  /** The pieces so far, for an `end` row; undefined if there are none. */
  get pieces(): readonly GivenPieces[] | undefined {
    return this.#list.length === 0 ? undefined : this.#list
  }

  /** @param part Empty for the value itself. */
  add(part: string, { made, settled, tick }: RunPlace): void {
    const last = this.#list.findLast((each) => (each.part ?? '') === part)
    if (last?.made === made && last.settled === settled) last.pieces += 1
    else this.#list.push({ ...(part === '' ? {} : { part }), pieces: 1, made, settled, tick })
  }
}
