/** Taken before any recorder opens its doors: the world's clock is the machine's, and reading it is no read of an agent's. */
const { now } = Date

/** Milliseconds since 1970, by the machine's clock. */
export function realNow(): number {
  return now.call(Date)
}
