import { isWordStart } from './word-start.ts'

/** The possible gaps between the digits of a card number, as text, in a URL and in a form. */
export const cardGap = '(?:[ +-]|%20)?'

/** The possible gaps between the digits of a phone number, as text, in a URL and in a form. */
export const phoneGap = '(?:(?:[ ().+-]|%2[089]){0,3})'

/** A plus sign, as text, in a URL and in JSON. */
export const plus = '(?:\\+|%2[bB]|\\\\u002[bB])'

/** Between the second and the third group of a North American number. */
export const spaceOrSign = '(?:[ .+-]|%20)'

/** Returns a pattern for an area code in brackets and the gap that may follow. A plus sign is a space only if the brackets are escaped, as forms do. */
export function bracketed(areaCode: string): string {
  return `(?:\\(${areaCode}\\)(?: |%20)?|%28${areaCode}%29(?:\\+|%20)?)`
}

/** Calling codes have one to three digits, and none is the beginning of another. */
export const callingCode = '(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\\d{3})'

/** Returns whether a North American number may begin at a place: before a bracket that a form escapes, a plus sign is a space. */
export function isPhoneStart(text: string, index: number): boolean {
  return text[index] === '%' ? isWordStart(text, index, '-.') : isWordStart(text, index)
}

/** Returns the digits of a number, without the digits of escapes between them. */
export function digitsOf(text: string): string {
  return text.replaceAll(/%2[089]|\D/g, '')
}
