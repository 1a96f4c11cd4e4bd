/** Pieces that a run handed out one after the other (yielded, or put into a stream), with no call made or settled in between. */
export interface GivenPieces {
  /** The part of the object that was handed out; absent for the value itself. */
  readonly part?: string
  /** How many pieces. */
  readonly pieces: number
  /** How many calls had been made, and how many had settled, before the first of them. */
  readonly made: number
  readonly settled: number
  /** How many ticks the run had seen by then. */
  readonly tick: number
}

/** Where a run is: how many calls it has made, how many have settled, and how many ticks it has seen. */
export type RunPlace = Pick<GivenPieces, 'made' | 'settled' | 'tick'>
