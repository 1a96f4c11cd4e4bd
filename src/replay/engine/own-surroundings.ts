/** What a process has of itself: Node reads it when it starts, and the zone again when `TZ` is set. */
export interface OwnSurroundings {
  readonly timeZone: string
  readonly locale: string
  /** The environment variables that it goes by. */
  readonly variables: string
}

const known = new Map<string, OwnSurroundings>()

/**
 * The time zone and the locale that this process has now.
 *
 * @note The first use of `Intl` in a process takes longer than many a replay. A worker is told what its parent knows (`tellOwnSurroundings`).
 */
export function ownSurroundings(): OwnSurroundings {
  const variables = JSON.stringify(['TZ', 'LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => process.env[name]))
  const before = known.get(variables)
  if (before !== undefined) return before
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
  const found = { timeZone, locale, variables }
  known.set(variables, found)
  return found
}

/** Tells this process what the one that started it has found out. It holds for the same environment variables. */
export function tellOwnSurroundings(told: OwnSurroundings): void {
  known.set(told.variables, told)
}
