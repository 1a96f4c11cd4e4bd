import type { WrittenDate } from '../../../divergence/dates.ts'
import { Correspondence, type DrawKind, type MadeDraw, type Place } from './correspondence.ts'
import { dateUnit, type DrawnPiece } from './drawn-text.ts'
import { DrawnPlaces, type PiecePair } from './places.ts'
import { rewriteIn, rewritten } from './rewritten.ts'

/** What the clock and chance gave to a recording and to its replay. */
export interface DrawnSides {
  readonly recorded: () => readonly MadeDraw[]
  /** May grow. */
  readonly replayed: readonly MadeDraw[]
  /** Whether a value reached the run from outside before a place in the trace: in its input, or in an answer. */
  isGiven(text: string, place: number): boolean
}

/** Two texts that were the same, read only once something is not. */
interface SameText {
  readonly text: () => string
  readonly place: number
}

/** A drawn value that was equal by nothing but the correspondence. */
export interface EqualDraws {
  readonly kind: DrawKind
  readonly expected: string
  readonly received: string
}

/**
 * Compares texts of a replay with recorded ones in which drawn values stand: they are equal where one correspondence of draws explains every
 * place of the run. As long as all texts are the same, nothing is looked at.
 */
export class RunDraws {
  readonly #sides: DrawnSides
  readonly #correspondence = new Correspondence()
  readonly #same: SameText[] = []
  #found: DrawnPlaces | undefined
  #isAwake = false
  /** Pieces of texts, and those in their places, that the correspondence explains already. */
  readonly #explained = new Set<string>()
  /** Whether anything was equal by nothing but the correspondence. */
  hasPaired = false

  constructor(sides: DrawnSides) {
    this.#sides = sides
  }

  /** Whether the replay has drawn less than the recorded run. */
  get isShort(): boolean {
    return this.#sides.replayed.length < this.#sides.recorded().length
  }

  /** Whether two texts that are the same have the same draws in them, as far as anything is known of those. */
  areSame(text: () => string, place: number): boolean {
    if (!this.#isAwake) {
      this.#same.push({ text, place })
      return true
    }
    return this.#take(this.#placesIn(text(), place))
  }

  /**
   * Whether two texts that differ are alike but for draws that correspond. That they do is known from then on.
   *
   * @param accepts Whether they are to be, asked before anything is known. Default: they are.
   */
  areAlike(expected: string, received: string, place: number, accepts: () => boolean = () => true): boolean {
    const pairs = this.#places().pair(expected, received)
    const places = pairs && this.#placesOf(pairs, place)
    if (places === undefined || !accepts()) return false
    this.#wake()
    if (!this.#take(places)) return false
    this.hasPaired = true
    return true
  }

  /** Whether two texts are the same but for values that the recorded run or this replay drew, whichever they are. */
  areDrawn(expected: string, received: string): boolean {
    const found = this.#places()
    return (
      found
        .pair(expected, received)
        ?.every(({ expected: one, received: other }) => one.text === other.text || isKind(found.kindOf(one), found.kindOf(other))) ?? false
    )
  }

  /** Whether nothing differs but draws that are known to correspond. */
  areKnown(expected: string, received: string): boolean {
    if (!this.hasPaired) return false
    const pairs = this.#places().pair(expected, received)
    return (
      pairs?.every((pair) => pair.expected.text === pair.received.text || this.#correspondence.has(this.#places().placeOf(pair))) ?? false
    )
  }

  /** The drawn values of two texts that are equal by nothing but the correspondence. */
  paired(expected: string, received: string): EqualDraws[] {
    if (!this.hasPaired || expected === received) return []
    const found = this.#places()
    return (found.pair(expected, received) ?? []).flatMap((pair): EqualDraws[] => {
      const [one, other] = [pair.expected.text, pair.received.text]
      const place = found.placeOf(pair)
      return one === other || !this.#correspondence.has(place)
        ? []
        : [{ kind: place[0]?.recorded.kind ?? 'clock', expected: one, received: other }]
    })
  }

  /**
   * Compares a value of the replay, in the recording's draws as far as they are known to correspond: a key that is used twice is the first key. A
   * draw that nothing recorded corresponds to is marked, since it may be the very text that was recorded.
   *
   * @param showsNothing Whether what was found shows no difference, though there is one: then every draw is marked. Default: it shows them.
   */
  compare<Found>(
    value: unknown,
    place: number,
    compare: (value: unknown) => Found,
    showsNothing: (found: Found) => boolean = () => false,
  ): Found {
    if (!this.#isAwake) return compare(value)
    const found = compare(this.#rewrite(value, (piece) => this.#inRecorded(piece, place)))
    return showsNothing(found) ? compare(this.#rewrite(value, marked)) : found
  }

  /** Whether a date is one that the run or its recording read from its clock. */
  isDrawnDate({ time, hasTime }: WrittenDate, text: string): boolean {
    const unit = dateUnit({ text })
    return this.#places().times.some(({ value }) =>
      hasTime ? Math.floor(Number(value) / unit) * unit === time : daysOf(Number(value)).includes(time),
    )
  }

  #take(places: ReadonlyMap<string, Place>): boolean {
    if (!this.#correspondence.add([...places.values()])) return false
    for (const key of places.keys()) this.#explained.add(key)
    return true
  }

  #rewrite(value: unknown, write: (piece: DrawnPiece) => string | undefined): unknown {
    return rewriteIn(value, (text) => this.#places().pieces(text), write)
  }

  #inRecorded(piece: DrawnPiece, place: number): string | undefined {
    const replayed = this.#places().replayed(piece)
    const known = replayed.find(({ draw }) => this.#correspondence.recordedFor(draw) !== undefined)
    const recorded = known && this.#correspondence.recordedFor(known.draw)
    if (recorded !== undefined) return rewritten(piece, recorded, known?.form ?? '')
    if (replayed.length === 0 || this.#sides.isGiven(piece.text, place)) return undefined
    const stoodThere = this.#places().recorded(piece)
    return stoodThere.length > 0 && stoodThere.every(({ draw }) => this.#correspondence.isTaken(draw)) ? marked(piece) : undefined
  }

  #places(): DrawnPlaces {
    return (this.#found ??= new DrawnPlaces(this.#sides.recorded(), this.#sides.replayed))
  }

  /** What was the same until now is looked at when something first differs in nothing but draws. */
  #wake(): void {
    this.#isAwake = true
    for (const { text, place } of this.#same.splice(0)) this.#take(this.#placesIn(text(), place))
  }

  #placesIn(text: string, place: number): ReadonlyMap<string, Place> {
    const same = this.#places()
      .pieces(text)
      .map((piece) => ({ expected: piece, received: piece }))
    return this.#placesOf(same, place) ?? new Map()
  }

  /** What is to be explained, each once; undefined where something cannot be. */
  #placesOf(pairs: readonly PiecePair[], place: number): ReadonlyMap<string, Place> | undefined {
    const found = new Map<string, Place>()
    for (const pair of pairs) {
      const [expected, received] = [pair.expected.text, pair.received.text]
      const key = `${expected} ${received}`
      if (this.#explained.has(key) || found.has(key)) continue
      const explanations = this.#places().placeOf(pair)
      if (expected !== received) {
        if (explanations.length === 0) return undefined
        found.set(key, explanations)
      } else if (explanations.length > 0 && !this.#sides.isGiven(expected, place)) found.set(key, explanations)
    }
    return found
  }
}

function marked({ text }: DrawnPiece): string {
  return `${text} (another read)`
}

function isKind(one: DrawKind | undefined, other: DrawKind | undefined): boolean {
  return one !== undefined && one === other
}

/** The first moment, in UTC, of the day that a time falls on: there, and where the run was. */
function daysOf(time: number): number[] {
  const date = new Date(time)
  return [
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()),
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()),
  ]
}
