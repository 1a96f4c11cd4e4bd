let begun = 0

/** A replay begins. */
export function countReplay(): void {
  begun += 1
}

/**
 * Returns whether a run was replayed with the loaded modules before: they may keep something of it. A Jest sandbox and an isolated worker begin with
 * fresh modules, and load this one anew as well.
 */
export function hasReplayed(): boolean {
  return begun > 0
}
