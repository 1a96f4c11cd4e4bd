import { decodedOrAsIs } from '../../models/url-path.ts'

/** The place of a page that a link names. */
export interface Place {
  /** The key of the line. */
  readonly key: string
  /** The index of the run that the first is compared with, from 0. */
  readonly other: number
}

/** Returns the fragment of an address: `#step=7`, or `#step=7&with=2` for the second of several comparisons. */
export function toHash({ key, other }: Place): string {
  return `#${key}${other > 0 ? `&with=${other + 1}` : ''}`
}

/** The inverse of `toHash`. If the run does not exist, it is the first. @param others The number of runs that the first is compared with. */
export function fromHash(hash: string, others: number): Place {
  const [key = '', number] = hash.slice(1).split('&with=')
  const other = Number(number ?? 1) - 1
  return { key: decodedOrAsIs(key), other: Number.isInteger(other) && other >= 0 && other < others ? other : 0 }
}
