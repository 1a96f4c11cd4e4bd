import { isLuhn } from './luhn.ts'
import { isNumberedBefore, isNumberedField } from './numbered-fields.ts'
import type { Rule } from './rule.ts'
import { bracketed, callingCode, cardGap, digitsOf, isPhoneStart, phoneGap, plus, spaceOrSign } from './number-patterns.ts'
import { isWordStart } from './word-start.ts'

/** The sign may be escaped, in a URL or in JSON. */
const atSign = /@|%40|\\u0040/gi
// Package versions, and images for high-resolution screens (`@2x.`), begin with a digit and continue as no host does. A number behind a host is a
// length: `16:a@shop.example4:next`.
const host = /(?!\d+(?:\.\d|x\.))(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,5}[A-Za-z]{2,24}(?![A-Za-z_-]|\d+[\w.-])/y
/** Hosts without an owner, reserved for documentation. */
const inDocuments = /(?:^|\.)example\.(?:com|org|net)$/i
/** The position of the user in a URL, before its host. */
const inUrl = /:(?:\\?\/){2}[^\s/@]{0,100}$/

/** The first digits and lengths that the card networks issue. */
const network =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|62\d{14,17})$/
// In groups of four, in groups of four, six and five, or without groups: other groups are different numbers.
const card = new RegExp(`[2-6]\\d{3}(?<gap>${cardGap})(?:\\d{4}\\k<gap>\\d{4}\\k<gap>\\d{1,7}|\\d{6}\\k<gap>\\d{4,5})(?!\\w|[.-]\\d)`, 'g')

const international = new RegExp(`${plus}(?=${callingCode})[1-9](?:${phoneGap}\\d){8,14}(?!\\w|[.-]\\d)`, 'g')
const northAmerican = new RegExp(
  `(?:${bracketed('[2-9]\\d\\d')}[2-9]\\d\\d${spaceOrSign}|[2-9]\\d\\d(?<gap>[.-])[2-9]\\d\\d\\k<gap>)\\d{4}(?!\\w|[.-]\\d)`,
  'g',
)
// A word of its own: "headphone" does not match.
const fieldName = '(?:[Pp]hone|[Mm]obile|[Tt]elephone|[Ff]ax|msisdn|PHONE|MOBILE)(?:[_-]?(?:[Nn]umber|NUMBER|[Nn]o|[Nn]r))?'
const phoneField = new RegExp(`(?:(?<![A-Za-z])|(?<=[a-z](?=[A-Z])))${fieldName}$`)
const inPhoneField = new RegExp(`(?<field>${fieldName})\\\\*["']\\s*:\\s*\\\\*["'](?<secret>\\(?[2-9][\\d ().-]{6,20})(?=\\\\*["'])`, 'g')
const asField = /^\(?[1-9][\d ().-]{6,20}$/

/** Finds e-mail addresses. */
export const emails: Rule = {
  name: 'email',
  hint: /@|%40|4(?<=u004)0/,
  *find(text) {
    for (const { index, 0: at } of text.matchAll(atSign)) {
      const start = startOfMailbox(text, index)
      host.lastIndex = index + at.length
      const [name = ''] = start === index ? [] : (host.exec(text) ?? [])
      if (name === '' || inUrl.test(text.slice(Math.max(0, start - 110), start))) continue
      const mailbox = text.slice(start, index)
      if (mailbox.toLowerCase() === 'git' || inDocuments.test(name)) continue
      const identity = `${mailbox.replaceAll(/%2b/gi, '+')}@${name}`.toLowerCase()
      yield { start, end: host.lastIndex, shape: 'email', identity }
    }
  },
}

/** Reads backwards from the sign: a pattern would check every place in the text. */
function startOfMailbox(text: string, sign: number): number {
  let start = sign
  while (start > sign - 80 && start > 0 && /[\w.+%-]/.test(text[start - 1] ?? '')) start -= 1
  // A longer run is not a name. An escape before the name is not part of it.
  if (start <= sign - 80) return sign
  const [escape = ''] = /^.*%(?!2[bB])[\dA-Fa-f]{2}/.exec(text.slice(start, sign)) ?? []
  start += escape.length
  if (text[start - 1] === '\\') start += text[start] === 'u' ? 5 : 1
  while (start < sign && /[.%+-]/.test(text[start] ?? '')) start += 1
  return Math.min(start, sign)
}

/** Finds card numbers, by the first digits and lengths of the networks and by their check digit. */
export const cardNumbers: Rule = {
  name: 'card-number',
  hint: /\d\d\d\d(?:[ +-]|%20)?\d\d\d\d/,
  *find(text, _field, holder) {
    for (const { index, 0: found } of text.matchAll(card)) {
      const identity = found.replaceAll(/%20|\D/g, '')
      if (!network.test(identity) || !isLuhn(identity) || !isWordStart(text, index)) continue
      // A grouped number is a card number, whatever the field's name.
      const isWhole = holder !== undefined && found.length === text.length
      if (found === identity && (isWhole ? isNumberedField(holder) : isNumberedBefore(text, index))) continue
      yield { start: index, end: index + found.length, shape: 'card', identity }
    }
  },
}

/** Finds phone numbers with a calling code, North American numbers in their groups, and the values of fields with such names. */
export const phoneNumbers: Rule = {
  name: 'phone-number',
  hint: /(?:\+|2[bB])[1-9]|[-.)](?<=[2-9]\d\d[-.)])(?: |%20)?\d\d\d|%(?<=[2-9]\d\d%)29(?:\+|%20)?\d\d\d|[Pp](?:hone|HONE)|b(?<=[Mm]ob)ile|BILE|x(?<=[Ff]ax)|msisdn/,
  isField: (name) => phoneField.test(name),
  *find(text, field) {
    if (field !== undefined && phoneField.test(field) && asField.test(text)) yield phone(text, 0)
    for (const { index, 0: found } of text.matchAll(international)) if (isInternational(text, index, found)) yield phone(found, index)
    for (const { index, 0: found } of text.matchAll(northAmerican)) {
      const [trunk = ''] = /1[ .-]$/.exec(text.slice(Math.max(0, index - 2), index)) ?? []
      const start = index - trunk.length
      if (isPhoneStart(text, start) && (found.startsWith('(') || text[start - 1] !== '(')) yield phone(trunk + found, start)
    }
    for (const { index, groups, 0: found } of text.matchAll(inPhoneField)) {
      const { field: name = '', secret = '' } = groups ?? {}
      const before = text[index - 1] ?? ''
      const isWord = !/[A-Za-z]/.test(before) || (/[a-z]/.test(before) && /^[A-Z]/.test(name)) || isWordStart(text, index)
      if (isWord) yield phone(secret, index + found.length - secret.length)
    }
  },
}

function isInternational(text: string, index: number, found: string): boolean {
  return isWordStart(text, index, '-.+)]') && !isCoordinate(text, index, found)
}

/** Returns whether a number is one of two decimals separated by a comma. Two numbers with a plus sign may be phone numbers. */
function isCoordinate(text: string, index: number, found: string): boolean {
  if (!/^\+\d{1,3}\.\d+$/.test(found)) return false
  const end = index + found.length
  return (
    /(?:^|[^\w.+])\d{1,3}\.\d{3,} ?, ?$/.test(text.slice(Math.max(0, index - 20), index)) ||
    /^ ?, ?-?\d{1,3}\.\d{3,}/.test(text.slice(end, end + 20))
  )
}

function phone(found: string, start: number): { start: number; end: number; shape: 'phone'; identity: string } {
  const digits = digitsOf(found.replace(/^(?:%2b|\\u002b)/i, ''))
  // Ten digits without a calling code are a North American number.
  const identity = `+${digits.length === 10 && /^(?:\(|%28)?\d/.test(found) ? '1' : ''}${digits}`
  return { start, end: start + found.length, shape: 'phone', identity }
}
