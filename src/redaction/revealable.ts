import type { Found } from './rule.ts'

/** Rules that find what belongs to a person and opens nothing. */
const personal = new Set(['email', 'international-email', 'card-number', 'iban', 'social-security-number', 'phone-number'])

/** Whether a rule finds keys, tokens and passwords: all do that are neither of the user's own nor about persons. */
export function findsCredentials(rule: string | undefined, own: ReadonlySet<string>): boolean {
  return rule === undefined || !(personal.has(rule) || own.has(rule))
}

/** Marks what may be revealed again: what only rules about persons and the user's own found, and no other rule any part of. */
export function markRevealable(found: readonly Found[], own: ReadonlySet<string>): Found[] {
  const credentials = found.filter(({ rule }) => findsCredentials(rule, own))
  return found.map((one) => {
    const isCredential = credentials.some(({ start, end }) => start < one.end && one.start < end)
    return isCredential ? one : { ...one, isRevealable: true }
  })
}
