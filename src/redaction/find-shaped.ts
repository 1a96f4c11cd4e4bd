import { bracketed, callingCode, cardGap, digitsOf, isPhoneStart, phoneGap, plus, spaceOrSign } from './number-patterns.ts'
import type { FoundStandIn } from './stand-in.ts'
import { isWordStart } from './word-start.ts'

const word = /redacted(?<digits>0\d{3,})(?=(?<host>(?:@|%40|\\u0040)mail\.example)?)/gi
/** Matches a card's stand-in in a text. */
export const cardPattern: string = `[2-6](?:${cardGap}\\d){3}(?:${cardGap}9){4}(?<digits>${cardGap}0(?:${cardGap}\\d){4,12})(?!\\w)`
const card = new RegExp(cardPattern, 'g')
// After a calling code three zeros are enough; without one, the area code 000 and the groups are required.
const phone = new RegExp(
  `${plus}${callingCode}(?:${phoneGap}0){3}(?<digits>(?:${phoneGap}\\d){3,12})(?!\\w)` +
    `|(?:1[ .-])?(?:000[ .-]{1,2}(?<local>\\d{3}[.-]\\d{4,})|${bracketed('000')}(?<bracketed>\\d{3}${spaceOrSign}\\d{4,}))(?!\\w)`,
  'g',
)
const phoneHint = /(?:\+|%2[bB]|u002[bB])[1-9]\d{0,2}(?:[ ().+-]|%2[089]){0,3}0|000(?:[) .-]|%29)/

/** Finds the texts with the shape of a stand-in, in order. */
export function findShaped(text: string): FoundStandIn[] {
  const found: FoundStandIn[] = []
  if (text.includes('REDACTED0') || text.includes('redacted0')) {
    for (const { index, groups, 0: match } of text.matchAll(word)) {
      const host = groups?.['host'] ?? ''
      const end = index + match.length + host.length
      found.push({
        start: index,
        end,
        number: Number(groups?.['digits']),
        kind: host === '' ? 'secret' : 'email',
        blank: blank(match) + host,
      })
    }
  }
  const words = found.length
  if (text.includes('9999')) {
    for (const { index, groups, 0: match } of text.matchAll(card)) {
      // The last digit is the check digit.
      const number = Number(digitsOf(groups?.['digits'] ?? '').slice(0, -1))
      if (isWordStart(text, index)) found.push({ start: index, end: index + match.length, number, kind: 'card', blank: blank(match) })
    }
  }
  if (phoneHint.test(text)) {
    for (const { index, groups, 0: match } of text.matchAll(phone)) {
      const number = Number(digitsOf(groups?.['digits'] ?? groups?.['local'] ?? groups?.['bracketed'] ?? ''))
      if (isPhoneStart(text, index)) found.push({ start: index, end: index + match.length, number, kind: 'phone', blank: blank(match) })
    }
  }
  return found.length === words ? found : found.toSorted((a, b) => a.start - b.start)
}

function blank(standIn: string): string {
  return standIn.replaceAll(/\d+/g, '#')
}
