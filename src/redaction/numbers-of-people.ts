import type { Rule } from './rule.ts'
import { isWordStart } from './word-start.ts'

const gap = '(?:[ +-]|%20)?'

/** Country, check digits, and the country's own part, in one run or in groups of four. */
const iban = new RegExp(`[A-Z]{2}\\d\\d(?:${gap}[A-Z0-9]{4}){2,7}(?:${gap}[A-Z0-9]{1,3})?(?![A-Za-z0-9])`, 'g')

/** The length of a country's account numbers, from the IBAN registry (SWIFT, release 99). */
const lengths = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 ' +
    'GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 ' +
    'NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Finds international bank account numbers, by the length for their country and by their check digits (ISO 13616). */
export const ibans: Rule = {
  name: 'iban',
  hint: /[A-Z][A-Z]\d\d(?:[ +-]|%20)?[A-Z0-9]{4}(?:[ +-]|%20)?[A-Z0-9]{4}/,
  *find(text) {
    for (const { index, 0: found } of text.matchAll(iban)) {
      const identity = found.replaceAll(/%20|[ +-]/g, '')
      if (!isWordStart(text, index)) continue
      // A word after it may look like one more group.
      const length = lengths.get(identity.slice(0, 2)) ?? Infinity
      if (identity.length < length || !isIban(identity.slice(0, length))) continue
      const end = index + endOf(found, length)
      if (!/^[A-Za-z0-9]/.test(text.slice(end))) yield { start: index, end, shape: 'account', identity: identity.slice(0, length) }
    }
  },
}

/** Returns where a number with gaps has `length` characters of its own. */
function endOf(found: string, length: number): number {
  let left = length
  for (const part of found.matchAll(/%20|[ +-]|[A-Z0-9]/g)) {
    if (/^[A-Z0-9]$/.test(part[0])) left -= 1
    if (left === 0) return part.index + 1
  }
  return found.length
}

/** Letters count from ten. With the first four characters moved to the end, the number modulo 97 is one. */
function isIban(number: string): boolean {
  let rest = 0
  for (const character of `${number.slice(4)}${number.slice(0, 4)}`) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const socialSecurity = /(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?!\w|[.-]\w)/g

/** Finds United States social security numbers: groups in the ranges that are issued. */
export const socialSecurityNumbers: Rule = {
  name: 'social-security-number',
  hint: /-\d\d-(?<=\d\d\d-\d\d-)\d\d\d\d/,
  *find(text) {
    for (const { index, 0: found } of text.matchAll(socialSecurity)) {
      if (isWordStart(text, index)) yield { start: index, end: index + found.length, shape: 'social-security', identity: found }
    }
  },
}
