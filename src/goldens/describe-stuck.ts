/** Says that the agent of a golden was stopped, because it did nothing but compute. @param limit In milliseconds. */
export function describeStuck(golden: string, limit: number): string {
  return (
    `goldenrun: the agent of ${golden} did nothing but compute for ${limit / 1000} seconds, so it was stopped. ` +
    'Look for a loop that never ends, and that awaits nothing.'
  )
}
