import type { WrittenDate } from '../../../divergence/dates.ts'
import type { FieldDifference } from '../../../divergence/divergence.ts'
import { Correspondence, type DrawKind, type MadeDraw, type Place } from './correspondence.ts'
import { dateUnit, type DrawnPiece } from './drawn-text.ts'
import { DrawnPlaces, type PiecePair } from './drawn-places.ts'
import { rewriteIn, rewritten } from './rewritten.ts'

/** The draws of a recording and of its replay. */
export interface DrawnSides {
  /** When the recorded run started, in milliseconds since the epoch. */
  readonly startedAt: number
  /** When it ended. */
  readonly endedAt: number
  readonly recorded: () => readonly MadeDraw[]
  /** May grow. */
  readonly replayed: readonly MadeDraw[]
  /** Whether a value reached the run from outside before a place in the trace: in its input, or in an answer. */
  isGiven(text: string, place: number): boolean
}

/** Two equal texts, which are read only once something differs. */
interface SameText {
  readonly text: () => string
  readonly place: number
}

/** A drawn value that was equal only by the correspondence. */
export interface EqualDraws {
  readonly kind: DrawKind
  readonly expected: string
  readonly received: string
}

/**
 * Compares texts of a replay with recorded ones that contain drawn values: they are equal if one correspondence of draws explains every
 * place of the run. As long as all texts are the same, nothing is analysed.
 */
export class RunDraws {
  readonly #sides: DrawnSides
  readonly #correspondence = new Correspondence()
  readonly #same: SameText[] = []
  #found: DrawnPlaces | undefined
  #isAwake = false
  /** Pairs of pieces that the correspondence already explains. */
  readonly #explained = new Set<string>()
  /** Whether anything was equal only by the correspondence. */
  hasPaired = false

  constructor(sides: DrawnSides) {
    this.#sides = sides
  }

  /** When the recorded run started, in milliseconds since the epoch. */
  get startedAt(): number {
    return this.#sides.startedAt
  }

  /** When the recorded run ended, in milliseconds since the epoch. */
  get endedAt(): number {
    return this.#sides.endedAt
  }

  /** The draws of the replay. It grows. */
  get replayed(): readonly MadeDraw[] {
    return this.#sides.replayed
  }

  /** Whether the replay drew less than the recorded run. */
  get isShort(): boolean {
    return this.#sides.replayed.length < this.#sides.recorded().length
  }

  /** Whether two equal texts contain corresponding draws, if the correspondence is known. */
  areSame(text: () => string, place: number): boolean {
    if (!this.#isAwake) {
      this.#same.push({ text, place })
      return true
    }
    return this.#take(this.#placesIn(text(), place))
  }

  /**
   * Whether two differing texts are alike apart from corresponding draws. Remembers the correspondence.
   *
   * @param accepts Whether to accept the pair, called before the correspondence is extended. Default: yes.
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

  /** Whether two texts differ only in values that the recorded run or this replay drew, whether they correspond or not. */
  areDrawn(expected: string, received: string): boolean {
    const found = this.#places()
    return (
      found
        .pair(expected, received)
        ?.every(({ expected: one, received: other }) => one.text === other.text || isKind(found.kindOf(one), found.kindOf(other))) ?? false
    )
  }

  /**
   * Whether fields differ only in how long something took: the milliseconds between two clock reads. Such differences follow from what the run
   * waited for.
   */
  areDurations(differences: readonly FieldDifference[]): boolean {
    return differences.length > 0 && differences.every(({ expected, received }) => this.#places().areDurations(expected, received))
  }

  /** Whether two texts differ only in draws that are known to correspond. */
  areKnown(expected: string, received: string): boolean {
    if (!this.hasPaired) return false
    const pairs = this.#places().pair(expected, received)
    return (
      pairs?.every((pair) => pair.expected.text === pair.received.text || this.#correspondence.has(this.#places().placeOf(pair))) ?? false
    )
  }

  /** The drawn values of two texts that are equal only by the correspondence. */
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
   * Compares a value of the replay after replacing its draws with the corresponding recorded ones, so that a key that is used twice is the
   * first key. A draw without a counterpart is marked, because its text may equal the recorded text.
   *
   * @param showsNothing Whether the result shows no difference although there is one. If so, every draw is marked. Default: it shows the
   * difference.
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

  /** Whether the run or its recording read this date from its clock. */
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

  /** Analyses the equal texts seen so far, once a text first differs only in draws. */
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

  /** The places to explain, each once; undefined if one of them cannot be explained. */
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

/** The first moment of a time's day: in UTC, and in the run's time zone. */
function daysOf(time: number): number[] {
  const date = new Date(time)
  return [
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()),
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()),
  ]
}
