import { expect, it } from 'vitest'
import { KnownValues } from '../../src/redaction/known-values.ts'
import { createRandom } from '../support/random.ts'

/** Looks for each form of each value by itself. */
function placesOf(values: readonly string[], text: string): string[] {
  const places = new Set<string>()
  for (const value of values) {
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
        const isWithin = /[a-z\d]$/.test(text.slice(0, at)) || /^[a-z\d]/.test(text.slice(at + form.length))
        if (!isWithin) places.add(`${at}-${at + form.length}`)
      }
    }
  }
  return [...places].toSorted()
}

it('finds each value at each of its places, however many begin alike', () => {
  const seed = 20261128
  const { next } = createRandom(seed)
  const pick = (alphabet: string, most: number): string =>
    Array.from({ length: 1 + Math.floor(next() * most) }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
  for (let round = 0; round < 300; round += 1) {
    const known = new KnownValues()
    const values = Array.from({ length: 8 }, () => `ab${pick('ab1', 2)}${pick('ab1', 3)}c`)
    for (const value of values) known.add(value)
    const text = Array.from({ length: 12 }, () => values[Math.floor(next() * 8)] + pick(' ,a', 2)).join('')
    const found = new Set(known.findIn(text).map(({ start, end }) => `${start}-${end}`))
    expect([...found].toSorted(), `seed ${seed}, round ${round}: ${text}`).toEqual(placesOf(values, text))
  }
})

it.each([
  ['a value at the end, if a longer one begins alike', ['token-1', 'token-1-and-more'], 'it is token-1', ['token-1']],
  ['letters beyond ASCII, and characters of two units', ['clé-😀-1', '😀😀😀'], 'clé-😀-1 😀😀😀', ['clé-😀-1', '😀😀😀']],
  ['forms of JSON, URLs and forms', ['a"b c/1'], 'a\\"b c/1 a%22b%20c%2F1 a%22b+c%2F1', ['a\\"b c/1', 'a%22b%20c%2F1', 'a%22b+c%2F1']],
  ['nothing within a word', ['abc1'], 'xabc1 abc12 abc1', ['abc1']],
])('finds %s', (_, values, text, expected) => {
  const known = new KnownValues()
  for (const value of values) expect(known.add(value)).toBe(true)
  expect(known.add(values[0] ?? '')).toBe(false)
  expect(known.findIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})
