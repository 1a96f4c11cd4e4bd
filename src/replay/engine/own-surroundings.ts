/** The process's own settings. Node reads them at start, and the zone again when `TZ` is set. */
export interface OwnSurroundings {
  readonly timeZone: string
  readonly locale: string
  /** The environment variables that determine them. */
  readonly variables: string
}

const known = new Map<string, OwnSurroundings>()

/**
 * The time zone and the locale that this process has now.
 *
 * @note The first use of `Intl` in a process takes longer than many replays, so a worker gets the values from its parent
 * (`tellOwnSurroundings`).
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

/** Sets the values that the parent process has determined. They are valid for the same environment variables. */
export function tellOwnSurroundings(told: OwnSurroundings): void {
  known.set(told.variables, told)
}
