/** What a link to a place of a page names. */
export interface Place {
  /** The line. */
  readonly key: string
  /** Which of the runs the first is compared with, from 0. */
  readonly other: number
}

/** A place as the end of an address: `#step=7`, and `#step=7&with=2` for the second of several comparisons. */
export function toHash({ key, other }: Place): string {
  return `#${key}${other > 0 ? `&with=${other + 1}` : ''}`
}

/** The inverse. A run that does not exist is the first. @param others How many runs the first is compared with. */
export function fromHash(hash: string, others: number): Place {
  const [key = '', number] = hash.slice(1).split('&with=')
  const other = Number(number ?? 1) - 1
  return { key: decoded(key), other: Number.isInteger(other) && other >= 0 && other < others ? other : 0 }
}

/** An address that somebody typed may hold a stray percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
