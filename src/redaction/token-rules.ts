import { isPlaceholder } from './placeholder.ts'
import { findPattern, findWords, type Found, type Rule } from './rule.ts'

/** A character of a token as text, in JSON (`\/`) and in a URL (`%2F`). */
const tokenCharacter = '(?:[A-Za-z0-9._~+/=-]|\\\\/|%2[BF]|%3D)'

const gap = '(?: |\\+|%20)'

// It begins at the start of a word: otherwise each possible beginning in a long run would be followed to its end.
const jwt = /eyJ(?<=(?:^|[^\w-]|\\[nrtbf])eyJ)[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{10,}/g
// A challenge has parameters there: `Bearer resource_metadata="https://…"`.
const parameter = '[a-z_-]{1,40}=\\\\*"[^\\s",}\\]]'
const bearer = new RegExp(`[Bb]earer${gap}(?!${parameter})(?<secret>${tokenCharacter}{16,})`, 'g')
// Words of prose after "basic" are not base64 of a valid length with a digit or a capital in it.
const basic = new RegExp(
  `[Bb]asic${gap}(?<secret>(?=[a-z/+]*[A-Z0-9])(?:[A-Za-z0-9+/]|\\\\/|%2[BF]){8,}(?:=|%3D){0,2})(?![A-Za-z0-9])`,
  'g',
)
const userInfo = /(?<=:(?:\/|\\\/){2}[^\s/?#@:"'\\]{0,100}:)(?<secret>[^\s/?#@"'\\]{1,200})(?=@[\w[])/g

/** Finds tokens by how they are sent, and by the shape of a JSON web token. */
export const tokenRules: readonly Rule[] = [
  {
    name: 'jwt',
    hint: /\.eyJ/,
    find: (text) => findWords(text, jwt, 'token'),
  },
  {
    name: 'bearer-token',
    hint: /[Bb]earer/,
    find: (text) => findSecrets(text, bearer),
  },
  {
    name: 'basic-credentials',
    hint: /[Bb]asic/,
    find: (text) => findPattern(text, basic),
  },
  {
    name: 'url-password',
    hint: /@/,
    *find(text) {
      if (text.includes('://') || text.includes(':\\/\\/')) yield* findSecrets(text, userInfo)
    },
  },
]

/** Finds values that are sent as secrets, except `password` and placeholders, which documents contain. */
function* findSecrets(text: string, pattern: RegExp): Generator<Found> {
  for (const found of findPattern(text, pattern)) {
    const secret = text.slice(found.start, found.end)
    if (secret !== 'password' && !isPlaceholder(secret)) yield found
  }
}
