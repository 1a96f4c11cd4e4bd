import { pairParts } from '../../../divergence/dates.ts'
import { commonStart } from '../../../divergence/text-difference.ts'
import type { DrawKind, DrawPair, MadeDraw, Place } from './correspondence.ts'
import { dateForm, dateUnit, type DrawnPiece, drawnPieces } from './drawn-text.ts'
import { type Rendered, Renderings } from './renderings.ts'

/** A piece of a recorded text that may be a drawn value, and its counterpart. */
export interface PiecePair {
  readonly expected: DrawnPiece
  readonly received: DrawnPiece
}

/** More pairs do not explain a place better. */
const mostPairs = 64

/** In characters. No date or id is longer. */
const longestPiece = 200

/** All times are at most this far from the run, in milliseconds. */
const tenYears = 315_576_000_000

/** Finds drawn values in texts, by the draws of the recording and of the replay. */
export class DrawnPlaces {
  readonly #recorded: Renderings
  readonly #replayed: Renderings
  /** The draws of the replay. */
  readonly #draws: readonly MadeDraw[]
  /** The result of the last search, with the number of draws at that time. */
  #looked: { readonly text: string; readonly at: number; readonly draws: number; readonly hasPiece: boolean } | undefined

  /** @param replayed May grow. */
  constructor(recorded: readonly MadeDraw[], replayed: readonly MadeDraw[]) {
    this.#recorded = new Renderings(recorded)
    this.#replayed = new Renderings(replayed)
    this.#draws = replayed
  }

  /** The pieces of a text that may be drawn values. */
  pieces(text: string): DrawnPiece[] {
    return drawnPieces(text, this.#isDrawn)
  }

  /** The paired pieces of two texts that differ only in such pieces; undefined for others. */
  pair(expected: string, received: string): PiecePair[] | undefined {
    const at = expected === received ? -1 : commonStart(expected, received)
    if (at !== -1 && !(this.#hasLivePieceAt(received, at) && this.#hasPieceAt(expected, at))) return undefined
    const pairs = pairParts([expected, this.pieces(expected)], [received, this.pieces(received)])
    return pairs?.map(([one, other]) => ({ expected: one, received: other }))
  }

  /** The pairs of draws, of one kind and in one form, that explain a pair of pieces. */
  placeOf({ expected, received }: PiecePair): Place {
    const [recorded, replayed] = [this.recorded(expected), this.replayed(received)]
    if (expected.date === undefined || received.date === undefined)
      return expected.date === received.date ? pairsOf(recorded, replayed) : []
    if (dateForm(expected) !== dateForm(received)) return []
    if (recorded.length > 0 || (expected.text === received.text && replayed.length > 0)) return pairsOf(recorded, replayed)
    const pairs = this.#withOffset(expected, received)
    // An equal time may be a constant of the code. The chance that it is a round offset from a read, to the millisecond, is one in a thousand.
    return expected.text === received.text ? pairs.filter(({ recorded: read }) => isRoundOffset(expected, read)) : pairs
  }

  /** The kind of a piece, if it is a draw of either side. */
  kindOf(piece: DrawnPiece): DrawKind | undefined {
    return [...this.recorded(piece), ...this.replayed(piece)][0]?.draw.kind
  }

  /** The recorded draws that a piece may be, with their form. */
  recorded(piece: DrawnPiece): readonly Rendered[] {
    return drawsIn(this.#recorded, piece)
  }

  /** The replayed draws that a piece may be, with their form. */
  replayed(piece: DrawnPiece): readonly Rendered[] {
    return drawsIn(this.#replayed, piece)
  }

  /** Whether a number is the time between two reads of the recording, and the other number the time between two reads of the replay. */
  areDurations(expected: unknown, received: unknown): boolean {
    return isBetween(expected, this.#recorded.times) && isBetween(received, this.#replayed.times)
  }

  /** All clock reads of both sides. */
  get times(): readonly MadeDraw[] {
    return [...this.#recorded.times, ...this.#replayed.times]
  }

  /** Like `#hasPieceAt`, for a text that is compared with several recorded texts in turn. */
  #hasLivePieceAt(text: string, at: number): boolean {
    const { length } = this.#draws
    if (this.#looked?.text !== text || this.#looked.at !== at || this.#looked.draws !== length)
      this.#looked = { text, at, draws: length, hasPiece: this.#hasPieceAt(text, at) }
    return this.#looked.hasPiece
  }

  /** Whether a piece is at an index. Shows without reading whole texts that most do not differ in a drawn value. */
  #hasPieceAt(text: string, at: number): boolean {
    const from = Math.max(0, at - longestPiece)
    return this.pieces(text.slice(from, at + longestPiece)).some(({ start, end }) => from + start <= at && at <= from + end)
  }

  readonly #isDrawn = (word: string): boolean => this.#recorded.of(word).length > 0 || this.#replayed.of(word).length > 0

  /** Pairs of reads at equal distances from two times that are not reads themselves: the code added the same amount to both. */
  #withOffset(expected: DrawnPiece, received: DrawnPiece): DrawPair[] {
    const unit = dateUnit(expected)
    const [before, now] = [expected.date?.time ?? 0, received.date?.time ?? 0]
    const difference = (now - before) / unit
    return this.#replayed.times
      .flatMap((replayed) =>
        this.#recorded.at((inUnits(replayed.value, unit) - difference) * unit, unit).map((recorded): DrawPair => ({ recorded, replayed })),
      )
      .filter(({ recorded }) => Math.abs(before - Number(recorded.value)) < tenYears)
      .toSorted(byNearness)
      .slice(0, mostPairs)
  }
}

function drawsIn(side: Renderings, { date, text }: DrawnPiece): readonly Rendered[] {
  return date === undefined ? side.of(text) : side.at(date.time, dateUnit({ text })).map((draw) => ({ draw, form: '' }))
}

function isRoundOffset(piece: DrawnPiece, { value }: MadeDraw): boolean {
  return dateUnit(piece) === 1 && ((piece.date?.time ?? 0) - Number(value)) % 1000 === 0
}

function inUnits(value: MadeDraw['value'], unit: number): number {
  return Math.floor(Number(value) / unit)
}

function pairsOf(recorded: readonly Rendered[], replayed: readonly Rendered[]): DrawPair[] {
  const pairs = replayed.flatMap((now) =>
    // Among very many reads of one moment, each has its counterpart near its own place.
    (recorded.length * replayed.length > mostPairs ** 2 ? recorded.filter(({ draw }) => isNear(draw, now.draw)) : recorded)
      .filter(({ form, draw }) => form === now.form && draw.kind === now.draw.kind)
      .map(({ draw }): DrawPair => ({ recorded: draw, replayed: now.draw })),
  )
  return pairs.toSorted(byNearness).slice(0, mostPairs)
}

function isNear(one: MadeDraw, other: MadeDraw): boolean {
  return Math.abs(one.order - other.order) < mostPairs
}

/** Pairs made at the same place come first. */
function byNearness(one: DrawPair, other: DrawPair): number {
  return distance(one) - distance(other)
}

function distance({ recorded, replayed }: DrawPair): number {
  const isElsewhere = recorded.owner !== replayed.owner || recorded.tick !== replayed.tick
  return Math.abs(recorded.order - replayed.order) + (isElsewhere ? 1_000_000 : 0)
}

function isBetween(duration: unknown, reads: readonly MadeDraw[]): boolean {
  if (typeof duration !== 'number') return false
  const times = new Set(reads.map(({ value }) => Number(value)))
  return [...times].some((time) => times.has(time + duration))
}
