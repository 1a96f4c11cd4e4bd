const PROMOTED = 'promoted as '
const RELEASED = 'no longer promoted as '

/**
 * The flag by which a store knows that a golden was made from a recording, so that no machine's retention removes it. It is one of the
 * recording's flags, which every store keeps, shows and ships with it.
 *
 * @param by The project and its golden: `shop/cancel-unshipped`.
 */
export function promotionMark(by: string): string {
  return `${PROMOTED}${by}`
}

/** The flag that takes the mark back: flags are only added, and the last one counts. */
export function releaseMark(by: string): string {
  return `${RELEASED}${by}`
}

/** The goldens that hold a recording. */
export function promotedBy(flags: readonly string[]): string[] {
  const held = new Set<string>()
  for (const flag of flags) {
    if (flag.startsWith(PROMOTED)) held.add(flag.slice(PROMOTED.length))
    if (flag.startsWith(RELEASED)) held.delete(flag.slice(RELEASED.length))
  }
  return [...held]
}

/** Whether a flag says something else: that somebody should look at the run. */
export function isReview(flag: string): boolean {
  return !flag.startsWith(PROMOTED) && !flag.startsWith(RELEASED)
}
