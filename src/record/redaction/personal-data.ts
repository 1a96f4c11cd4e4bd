import { isLuhn } from './luhn.ts'
import type { Rule } from './rule.ts'
import { callingCode, cardGap, phoneGap, plus, wordStart } from './stand-in.ts'

/** The sign may be escaped, in a URL or in JSON. */
const at = '(?:@|%40|\\\\u0040)'
// A version of a package, a picture for a finer screen, a repository and who logs in at a host look like addresses.
const email = new RegExp(
  `(?:(?<![\\w.%+\\\\-])|(?<=\\\\[nrtbf]|\\\\u[\\da-fA-F]{4}|%[\\dA-F]{2}(?<!%40|%2[BbEe])))(?!git${at})(?<!:(?:\\\\?/){2}[^\\s/@]{0,100})` +
    `[A-Za-z0-9](?:[\\w.+-]|%2[Bb]){0,63}${at}(?!\\d+(?:\\.\\d|x\\.))(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.){1,5}[A-Za-z]{2,24}(?![\\w-])`,
  'gi',
)

/** The first digits and the lengths that the networks give out. */
const network =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|62\d{14,17})$/
// In groups of four, of four and six and five, or without any: other groups are of other numbers.
const card = new RegExp(`${wordStart}[2-6]\\d{3}(?<gap>${cardGap})(?:\\d{4}\\k<gap>\\d{4}\\k<gap>\\d{1,7}|\\d{6}\\k<gap>\\d{4,5})(?!\\w|[.-]\\d)`, 'g')

const international = new RegExp(`${wordStart}(?<![)\\]])${plus}(?=${callingCode})[1-9](?:${phoneGap}\\d){8,14}(?!\\w|[.-]\\d)`, 'g')
const northAmerican = new RegExp(
  `${wordStart}(?:1[ .-])?(?:\\([2-9]\\d\\d\\) ?[2-9]\\d\\d[ .-]|(?<!\\()[2-9]\\d\\d(?<gap>[.-])[2-9]\\d\\d\\k<gap>)\\d{4}(?![\\w]|[.-]\\d)`,
  'g',
)
const phoneField = /(?:phone|mobile|telephone|fax|msisdn)[\w-]{0,12}$/i
const inPhoneField = /(?:phone|mobile|telephone|fax|msisdn)[\w-]{0,12}\\*["']\s*:\s*\\*["'](?<secret>\(?[2-9][\d ().-]{6,20})(?=\\*["'])/gi
const asField = /^\(?[1-9][\d ().-]{6,20}$/

/** E-mail addresses. */
export const emails: Rule = {
  name: 'email',
  *find(text) {
    if (!text.includes('@') && !text.includes('%40') && !text.includes('\\u0040')) return
    for (const { index, 0: found } of text.matchAll(email)) {
      const identity = found.replace(/%40|\\u0040/i, '@').replaceAll(/%2b/gi, '+').toLowerCase()
      yield { start: index, end: index + found.length, shape: 'email', identity }
    }
  },
}

/** Card numbers, by the first digits and lengths of the networks and by their check digit. */
export const cardNumbers: Rule = {
  name: 'card-number',
  *find(text) {
    for (const { index, 0: found } of text.matchAll(card)) {
      const identity = found.replaceAll(/%20|\D/g, '')
      if (network.test(identity) && isLuhn(identity)) yield { start: index, end: index + found.length, shape: 'card', identity }
    }
  },
}

/** Phone numbers with a calling code, those of North America in its groups, and what stands in a field of that name. */
export const phoneNumbers: Rule = {
  name: 'phone-number',
  *find(text, field) {
    if (field !== undefined && phoneField.test(field) && asField.test(text)) yield phone(text, 0)
    if (/\+[1-9]|%2[bB]|u002[bB]/.test(text)) for (const { index, 0: found } of text.matchAll(international)) yield phone(found, index)
    for (const { index, 0: found } of text.matchAll(northAmerican)) yield phone(found, index)
    for (const { index, groups, 0: found } of text.matchAll(inPhoneField)) {
      const secret = groups?.['secret'] ?? ''
      yield phone(secret, index + found.length - secret.length)
    }
  },
}

function phone(found: string, start: number): { start: number; end: number; shape: 'phone'; identity: string } {
  const digits = found.replace(/^(?:%2b|\\u002b)/i, '').replaceAll(/%20|\D/g, '')
  // Ten digits without a calling code are of North America.
  const identity = `+${digits.length === 10 && /^\(?\d/.test(found) ? '1' : ''}${digits}`
  return { start, end: start + found.length, shape: 'phone', identity }
}
