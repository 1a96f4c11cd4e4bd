import { isDrawn } from './credential-fields.ts'
import type { Edit } from './edits.ts'
import { findPattern, type Found } from './rule.ts'

/** A text long enough for a credential, between the signs that separate several. */
const between = /[^\s,;:="]{8,}/g

/**
 * Finds what else in a credential is one, beside what the rules found: `Bearer first, Bearer second`. Words are not.
 *
 * @param isLeft Returns whether a part is left as it is: it has a stand-in.
 */
export function findBeside(credential: string, found: readonly Edit[], isLeft: (start: number, end: number) => boolean): Found[] {
  return [...findPattern(credential, between)].filter(({ start, end }) => {
    const isFound = found.some((edit) => edit.start < end && start < edit.end)
    return !isFound && isDrawn(credential.slice(start, end)) && !isLeft(start, end)
  })
}
