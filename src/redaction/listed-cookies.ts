import { cookies } from './cookies.ts'
import { listedPairs } from './written-pairs.ts'
import type { Found } from './rule.ts'

/** Finds cookies in lists of pairs: a header with cookies (`{"name":"Cookie","value":"…"}`), and a cookie with its attributes, as in HAR. */
export function* findListedCookies(text: string): Generator<Found> {
  for (const { name, start, end } of listedPairs(text)) {
    const value = text.slice(start, end)
    if (/^(?:set-)?cookie$/i.test(name)) {
      for (const found of cookies.find(value, 'cookie')) yield { ...found, start: start + found.start, end: start + found.end }
    } else if (value.length >= 4 && isCookie(text, start, end)) yield { start, end, shape: 'word' }
  }
}

/** Returns whether the object around a value has an attribute of cookies. */
function isCookie(text: string, start: number, end: number): boolean {
  const open = text.lastIndexOf('{', start)
  const close = text.indexOf('}', end)
  const object = text.slice(Math.max(open, start - 1000), close === -1 ? end + 1000 : Math.min(close, end + 1000))
  return /httpOnly|sameSite/.test(object)
}
