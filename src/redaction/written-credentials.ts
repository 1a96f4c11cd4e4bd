import { credentialEnding, credentialNames, noSecret } from './credential-fields.ts'
import { isPlaceholder } from './placeholder.ts'
import { findPattern, type Found, type Rule } from './rule.ts'

const value = '[^\\s"\'`\\\\,;&<>(){}\\[\\]]'

/** `Authorization: Token 9944b0…`, a header as text. */
const authorization = /authorization\\*["']?\s?[:=]\s?\\*["']?(?:[A-Za-z][\w-]{2,20} )?(?:token=)?\\*["']?(?<secret>[\w.~+/=-]{16,4000})/gi

/** `{"name":"DB_PASSWORD","value":"…"}`, as lists of variables are written. */
const pair = new RegExp(
  `"(?:name|key)\\\\*"\\s*:\\s*\\\\*"[\\w.-]{0,60}?(?:${credentialNames}|[_-](?:pass|pwd))(?<quote>\\\\*")\\s*,\\s*\\\\*"value\\\\*"\\s*:\\s*\\k<quote>(?<secret>(?:(?!\\k<quote>).){4,1000})(?=\\k<quote>|$)`,
  'gi',
)

/** `--api-key …`, an option of a command. */
const option = new RegExp(
  `--(?:[a-z]{1,20}-){0,3}(?:api-?key|token|passw(?:or)?d|secret(?:-key)?|access-key)[= ]["']?(?<secret>${value}{6,4000})`,
  'g',
)

/** `DB_PASS=…`, in an environment and in JSON. */
const variable = new RegExp(
  `[A-Z0-9]_(?:PASS|PWD)(?:=["']?|\\\\*"\\s*:\\s*\\\\*")(?<secret>(?!/)(?=[^"'\\s]{0,200}[A-Za-z])[^\\s"'\`\\\\;&<>]{4,1000})`,
  'g',
)
const variableName = /[A-Z0-9]_(?:PASS|PWD)$/

/** `curl -u user:…`. */
const user = /curl [^\n]{0,400}?(?<=\s)(?:-u ?|--user[ =])\\*["']?[\w.@+%-]{1,100}:(?<secret>(?=[^\s"']{0,200}[A-Za-z])[^\s"'\\]{3,200})/g

/** What no word is. */
const isDrawn = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text)

function* find(text: string, pattern: RegExp, isSecret: (secret: string) => boolean = () => true): Generator<Found> {
  for (const found of findPattern(text, pattern)) {
    const secret = text.slice(found.start, found.end)
    if (!noSecret.test(secret) && !isPlaceholder(secret) && isSecret(secret)) yield found
  }
}

/** Credentials as commands, environments and lists of variables write them. One name, and a rule for each way to look. */
export const writtenCredentials: readonly Rule[] = [
  {
    name: 'written-credential',
    hint: new RegExp(`${credentialEnding.source}|_P(?:ASS|WD)\\\\*"`),
    *find(text) {
      yield* find(text, authorization, isDrawn)
      yield* find(text, pair)
    },
  },
  {
    name: 'written-credential',
    hint: /--[a-z]|_P(?:ASS|WD)\\*["=]|curl /,
    isField: (name) => variableName.test(name),
    *find(text, field) {
      if (field !== undefined && variableName.test(field) && text.length >= 4 && !noSecret.test(text) && !isPlaceholder(text)) {
        if (/[A-Za-z]/.test(text) && !text.startsWith('/')) yield { start: 0, end: text.length, shape: 'word' }
      }
      yield* find(text, option, isDrawn)
      yield* find(text, variable)
      yield* find(text, user)
    },
  },
]

/** Of `{"name":"DB_PASSWORD","value":"…"}`, as lists of variables are written: the value is the name's. */
export function nameOfVariable(object: object): string | undefined {
  if (!('value' in object)) return undefined
  const name = 'name' in object ? object.name : 'key' in object ? object.key : undefined
  return typeof name === 'string' ? name : undefined
}
