/**
 * The source of draws that a trace does not have: the seed of random values, and how far the clock is ahead of virtual time, in
 * milliseconds.
 */
export interface Chance {
  readonly seed: number
  readonly ahead: number
}
