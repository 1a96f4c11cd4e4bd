import type { Found } from './rule.ts'

/** Rules that find personal data that grants no access. */
const personal = new Set([
  'email',
  'international-email',
  'card-number',
  'iban',
  'social-security-number',
  'phone-number',
  'national-phone-number',
  'quoted-email',
])

/** Returns whether a rule finds keys, tokens and passwords: every rule does that is neither the user's own nor about personal data. */
export function findsCredentials(rule: string | undefined, own: ReadonlySet<string>): boolean {
  return rule === undefined || !(personal.has(rule) || own.has(rule))
}

/** Marks the secrets that may be revealed: those that only personal-data rules and the user's own found, with no part found by any other rule. */
export function markRevealable(found: readonly Found[], own: ReadonlySet<string>): Found[] {
  const credentials = found.filter(({ rule }) => findsCredentials(rule, own))
  return found.map((one) => {
    const isCredential = credentials.some(({ start, end }) => start < one.end && one.start < end)
    return isCredential ? one : { ...one, isRevealable: true }
  })
}
