/** Taken before any recorder opens its doors, so that the world reads the machine's clock, and its reads do not count as the agent's. */
const { now } = Date

/** Returns milliseconds since 1970, by the machine's clock. */
export function realNow(): number {
  return now.call(Date)
}
