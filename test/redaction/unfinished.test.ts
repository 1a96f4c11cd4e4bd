import { expect, it } from 'vitest'
import { startOfUnfinished } from '../../src/redaction/unfinished.ts'

/** What is kept back of a text that goes on: behind `|`. */
it.each([
  'nothing of what ends in a word and a stop. |',
  'a key is kept whole, |sk-proj-a1B2',
  'so are the groups of a number,| 4111 1111 1',
  '|and what follows a name: the password is "correct horse',
  '|with the number that it stands in, and the name before it: {"card":x"4111 1111 password: ',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\na key that ends is let go, |',
  'one that goes on is not: |-----BEGIN PRIVATE KEY-----\nMIIB\nMIIC\n',
])('%s', (marked) => {
  const text = marked.replace('|', '')
  const start = startOfUnfinished(text, false)
  expect(`${text.slice(0, start)}|${text.slice(start)}`).toBe(marked)
})
