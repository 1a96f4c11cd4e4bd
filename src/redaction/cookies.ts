import { credentialMark } from '../trace/credential-mark.ts'
import { findsNothing, type Found, type Rule } from './rule.ts'

/** A `Cookie` or `Set-Cookie` header as text: in a log, in JSON, as a pair. */
const header = /(?<![\w-])(?:set-)?cookie\\*["']?\s*[:,]\s*\\*["']?(?<cookies>[\w!#$%&*+.^|~-]{1,200}=(?:(?!cookie)[^"'\\\r\n]){4,8000})/gi
const fieldName = /^(?:set-)?cookie$/i
const pair = /(?<=^|[;,]\s{0,4})(?<name>[\w!#$%&*+.^|~-]{1,200})=(?<value>[^;,\s]{4,})/g

/** The attributes of a cookie, which accompany its value. */
const attributes = new Set(['path', 'domain', 'expires', 'max-age', 'samesite', 'priority', 'version'])

/** Finds the values of cookies; their names and attributes stay. */
export const cookies: Rule = {
  name: 'cookie',
  hint: /k(?<=ook)ie|K(?<=OOK)IE/,
  isField: (name) => fieldName.test(name),
  *find(text, field) {
    if (field !== undefined && fieldName.test(field)) yield* findPairs(text, 0)
    for (const { index, groups, 0: found } of text.matchAll(header)) {
      const list = groups?.['cookies'] ?? ''
      yield* findPairs(list, index + found.length - list.length)
    }
  },
}

/** A cookie in its header. Its value may have spaces, quotes and commas. */
const whole = /(?<=^|;\s{0,4})(?<name>[^=;\s]{1,200})=\s*(?<value>[^;\s](?:[^;]{2,8000}[^;\s]))/g

/** Finds the whole value of each cookie in a field, up to the next semicolon. */
export const wholeCookies: Rule = {
  name: 'whole-cookie',
  hint: findsNothing,
  isField: (name) => fieldName.test(name),
  *find(text, field) {
    if (field === undefined || !fieldName.test(field)) return
    for (const { index, groups, 0: found } of text.matchAll(whole)) {
      const { name = '', value = '' } = groups ?? {}
      const end = index + found.length
      if (!attributes.has(name.toLowerCase())) yield { start: end - value.length, end, shape: 'word' }
    }
  },
}

function* findPairs(list: string, offset: number): Generator<Found> {
  for (const { index, groups } of list.matchAll(pair)) {
    const { name = '', value = '' } = groups ?? {}
    if (attributes.has(name.toLowerCase()) || value === credentialMark) continue
    const start = offset + index + name.length + 1
    yield { start, end: start + value.length, shape: 'word' }
  }
}
