import type { Found, Rule } from './rule.ts'
import { gap } from './written-values.ts'

/** The private parts of a JSON web key (RFC 7518): of RSA, of elliptic curves, and a symmetric key. */
export const privateParts: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

const part = new RegExp(
  `(?<quote>\\\\{0,15}["'])(?:${privateParts.join('|')})\\k<quote>${gap}:${gap}\\k<quote>(?<secret>[\\w-]{16,4000})(?=\\k<quote>)`,
  'g',
)

/** Longer than a key with all its certificates. */
const longestKey = 16_000

/** Finds the private parts of JSON web keys. Their public parts stay. */
export const jsonWebKeys: Rule = {
  name: 'json-web-key',
  literals: ['"kty', "'kty"],
  isField: (name) => name === 'json-web-key',
  *find(text, field) {
    if (field === 'json-web-key') yield { start: 0, end: text.length, shape: 'word' }
    let end = 0
    for (let at = text.indexOf('kty'); at !== -1; at = text.indexOf('kty', Math.max(at + 1, end))) {
      const start = Math.max(end, at - longestKey, text.lastIndexOf('{', at))
      const close = text.indexOf('}', at)
      end = close === -1 ? Math.min(text.length, at + longestKey) : close
      yield* findParts(text.slice(start, end), start)
    }
  },
}

function* findParts(key: string, offset: number): Generator<Found> {
  for (const { index, groups, 0: found } of key.matchAll(part)) {
    const secret = groups?.['secret'] ?? ''
    const start = offset + index + found.length - secret.length
    yield { start, end: start + secret.length, shape: 'word' }
  }
}
