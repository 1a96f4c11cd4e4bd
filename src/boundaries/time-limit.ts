/** The shortest of some time limits in milliseconds, as clients are given them: nothing and 0 are none. Undefined if there is none. */
export function shortestLimit(...given: readonly unknown[]): number | undefined {
  const limits = given.map(Number).filter((limit) => limit > 0 && limit < Infinity)
  return limits.length === 0 ? undefined : Math.min(...limits)
}
