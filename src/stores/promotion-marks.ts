const PROMOTED = 'promoted as '
const RELEASED = 'no longer promoted as '

/**
 * The flag that marks a recording as the source of a golden, so that no machine's retention removes it. It is one of the
 * recording's flags, which every store keeps, shows and ships.
 *
 * @param by The project and its golden: `shop/cancel-unshipped`.
 */
export function promotionMark(by: string): string {
  return `${PROMOTED}${by}`
}

/** The flag that takes a mark back: flags are only ever added, and the last one counts. */
export function releaseMark(by: string): string {
  return `${RELEASED}${by}`
}

/** Returns the goldens whose marks a recording has, without those taken back. */
export function promotedBy(flags: readonly string[]): string[] {
  const held = new Set<string>()
  for (const flag of flags) {
    if (flag.startsWith(PROMOTED)) held.add(flag.slice(PROMOTED.length))
    if (flag.startsWith(RELEASED)) held.delete(flag.slice(RELEASED.length))
  }
  return [...held]
}

/** Returns whether a flag asks for review of the run, and is not a mark. */
export function isReview(flag: string): boolean {
  return !flag.startsWith(PROMOTED) && !flag.startsWith(RELEASED)
}
