/** A read of the clock or a random source, in the recording or in a replay. */
export interface MadeDraw {
  readonly kind: DrawKind
  /** Its number among the draws of its owner and kind. */
  readonly order: number
  /** The recorded step in whose body it was made, 0 for the run itself. */
  readonly owner: number
  /** Its tick, and how many calls had been made before it. Draws that share both were made in one synchronous stretch. */
  readonly tick: number
  readonly calls: number
  /** For a time, milliseconds since the epoch. */
  readonly value: number | string | Uint8Array
}

/** The kind of draw: a time, a random number, an id, bytes. */
export type DrawKind = 'clock' | 'random' | 'uuid' | 'bytes'

/** A recorded draw, and the corresponding one of the replay. */
export interface DrawPair {
  readonly recorded: MadeDraw
  readonly replayed: MadeDraw
}

/** Alternative pairs that explain a place with a drawn value. */
export type Place = readonly DrawPair[]

/** How many choices are tried before places count as unexplained. */
const usualPatience = 20_000

/**
 * The one-to-one correspondence between a replay's draws and the recorded ones, for the whole run. It has to explain every place that has a
 * drawn value, and is revised if a later place requires that.
 */
export class Correspondence {
  readonly #patience: number
  #places: readonly Place[] = []
  #pairs: readonly DrawPair[] = []
  #recorded: ReadonlyMap<MadeDraw, MadeDraw> = new Map()

  constructor(patience: number = usualPatience) {
    this.#patience = patience
  }

  /** One pair for each place, some of them more than once. */
  get pairs(): readonly DrawPair[] {
    return this.#pairs
  }

  /** The recorded draw that corresponds to a replayed one, if known. */
  recordedFor(replayed: MadeDraw): MadeDraw | undefined {
    return this.#recorded.get(replayed)
  }

  /** Whether a recorded draw already has a counterpart in the replay. */
  isTaken(recorded: MadeDraw): boolean {
    return this.#pairs.some((pair) => pair.recorded === recorded)
  }

  /** Whether the pairs chosen so far explain a place. */
  has(place: Place): boolean {
    return place.some(({ replayed, recorded }) => this.#recorded.get(replayed) === recorded)
  }

  /** Adds places. If no correspondence explains them together with the previous ones, nothing changes. */
  add(places: readonly Place[]): boolean {
    const found = this.#choose(places)
    if (found === undefined) return false
    if (found.pairs === this.#pairs) return true
    this.#places = found.places
    this.#pairs = found.pairs
    this.#recorded = new Map(found.pairs.map(({ replayed, recorded }) => [replayed, recorded]))
    return true
  }

  /** Whether places could be added. */
  explains(places: readonly Place[]): boolean {
    return this.#choose(places) !== undefined
  }

  #choose(places: readonly Place[]): { readonly places: readonly Place[]; readonly pairs: readonly DrawPair[] } | undefined {
    const open = places.filter((place) => !this.has(place))
    if (open.length === 0) return { places: this.#places, pairs: this.#pairs }
    const added = search(open, this.#pairs, this.#patience)
    const all = [...this.#places, ...open]
    if (added !== undefined) return { places: all, pairs: [...this.#pairs, ...added] }
    // The earlier choices may not have been the only ones.
    if (all.every((place) => place.length === 1)) return undefined
    const pairs = search(all, [], this.#patience)
    return pairs && { places: all, pairs }
  }
}

/** Whether two pairs can be in one correspondence. */
function areCompatible(one: DrawPair, other: DrawPair): boolean {
  const [isSameRecorded, isSameReplayed] = [one.recorded === other.recorded, one.replayed === other.replayed]
  if (isSameRecorded || isSameReplayed) return isSameRecorded && isSameReplayed
  if (one.recorded.kind !== other.recorded.kind) return true
  if (areMadeEqual(one, other)) return false
  if (!areTurnedRound(one, other)) return true
  const isOneStretch = areOfOneStretch(one.replayed, other.replayed) || areOfOneStretch(one.recorded, other.recorded)
  return !isOneStretch && !(isMoved(one) && isMoved(other))
}

/** Whether two different times have become equal. Until a step settles, the millisecond of a read is arbitrary. */
function areMadeEqual(one: DrawPair, other: DrawPair): boolean {
  if (one.recorded.kind !== 'clock' || one.replayed.value !== other.replayed.value || one.recorded.value === other.recorded.value)
    return false
  return one.replayed.tick !== other.replayed.tick || one.recorded.tick !== other.recorded.tick
}

function areTurnedRound(one: DrawPair, other: DrawPair): boolean {
  if (one.recorded.owner !== other.recorded.owner || one.replayed.owner !== other.replayed.owner) return false
  return one.recorded.order < other.recorded.order !== one.replayed.order < other.replayed.order
}

/** Whether nothing else happened between two draws: no step settled, and no call was made that would prove them to be in parallel branches. */
function areOfOneStretch(one: MadeDraw, other: MadeDraw): boolean {
  return one.owner === other.owner && one.tick === other.tick && one.calls === other.calls
}

/** Whether a draw was made after a different step than in the recording, because the read was moved. */
function isMoved({ recorded, replayed }: DrawPair): boolean {
  return recorded.tick !== replayed.tick || recorded.owner !== replayed.owner
}

/** A pair for each place, compatible with one another and with the given ones; undefined if there are none. */
function search(places: readonly Place[], given: readonly DrawPair[], patience: number): DrawPair[] | undefined {
  const ordered = places.toSorted((a, b) => a.length - b.length)
  const chosen: DrawPair[] = []
  let tried = 0
  const isFree = (pair: DrawPair): boolean =>
    given.every((other) => areCompatible(pair, other)) && chosen.every((other) => areCompatible(pair, other))
  const choose = (index: number): boolean => {
    const place = ordered[index]
    if (place === undefined) return true
    for (const pair of place) {
      tried += 1
      if (tried > patience) return false
      if (!isFree(pair)) continue
      chosen.push(pair)
      if (choose(index + 1)) return true
      chosen.pop()
    }
    return false
  }
  return choose(0) ? chosen : undefined
}
