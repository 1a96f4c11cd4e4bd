import { findPattern, type Rule } from './rule.ts'
import { wordStart } from './stand-in.ts'

/** A character of a token as text, in JSON (`\/`) and in a URL (`%2F`). */
const tokenCharacter = '(?:[A-Za-z0-9._~+/=-]|\\\\/|%[0-9A-F]{2})'

const gap = '(?: |\\+|%20)'

const jwt = new RegExp(`${wordStart}eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]{10,}`, 'g')
const bearer = new RegExp(`(?<![A-Za-z])[Bb]earer${gap}(?<secret>${tokenCharacter}{16,})`, 'g')
// Words of prose that follow "basic" are no base64 of a length that fits, with a digit or a capital in it.
const basic = new RegExp(
  `(?<![A-Za-z])[Bb]asic${gap}(?<secret>(?=[a-z/+]*[A-Z0-9])(?:[A-Za-z0-9+/]|\\\\/|%2[BF]){8,}(?:=|%3D){0,2})(?![A-Za-z0-9])`,
  'g',
)
const userInfo = /(?<=:(?:\/|\\\/){2}[^\s/?#@:"'\\]{0,100}:)(?<secret>[^\s/?#@"'\\]{1,200})(?=@[\w[])/g

/** Tokens by how they are sent, and by the shape of a JSON web token. */
export const tokenRules: readonly Rule[] = [
  {
    name: 'jwt',
    *find(text) {
      if (text.includes('.eyJ')) yield* findPattern(text, jwt, 'token')
    },
  },
  {
    name: 'bearer-token',
    *find(text) {
      if (text.includes('earer')) yield* findPattern(text, bearer)
    },
  },
  {
    name: 'basic-credentials',
    *find(text) {
      if (text.includes('asic')) yield* findPattern(text, basic)
    },
  },
  {
    name: 'url-password',
    *find(text) {
      if (text.includes('@') && (text.includes('://') || text.includes(':\\/\\/'))) yield* findPattern(text, userInfo)
    },
  },
]
