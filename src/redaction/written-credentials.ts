import { credentialEnding, credentialNames, findCredentials, isDrawn, noSecret } from './credential-fields.ts'
import { isPlaceholder } from './placeholder.ts'
import type { Rule } from './rule.ts'

const value = '[^\\s"\'`\\\\,;&<>(){}\\[\\]]'

/** `Authorization: Token 9944b0…`, a header as text. */
const authorization = /authorization\\*["']?\s?[:=]\s?\\*["']?(?:[A-Za-z][\w-]{2,20} )?(?:token=)?\\*["']?(?<secret>[\w.~+/=-]{16,4000})/gi

/** `{"name":"DB_PASSWORD","value":"…"}`, from lists of variables; `{"1":"password","2":"…"}`, from an entry of a protobuf map. */
const pair = new RegExp(
  `"(?:name|key|1)\\\\*"\\s*:\\s*\\\\*"[\\w.-]{0,60}?(?:${credentialNames}|[_-](?:pass|pwd))(?<quote>\\\\*")\\s*,\\s*\\\\*"(?:value|2)\\\\*"\\s*:\\s*\\k<quote>(?<secret>(?:(?!\\k<quote>).){4,1000})(?=\\k<quote>|$)`,
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

/** Finds credentials as written in commands, environments and lists of variables. One name, with a rule for each way to search. */
export const writtenCredentials: readonly Rule[] = [
  {
    name: 'written-credential',
    hint: new RegExp(`${credentialEnding.source}|_P(?:ASS|WD)\\\\*"`),
    *find(text) {
      yield* findCredentials(text, authorization, isDrawn)
      yield* findCredentials(text, pair)
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
      yield* findCredentials(text, option, isDrawn)
      yield* findCredentials(text, variable)
      yield* findCredentials(text, user)
    },
  },
]

/** A field whose value belongs to a name next to it. */
export interface NamedField {
  readonly key: string
  readonly name: string
}

/**
 * Returns the value with its name, in `{"name":"DB_PASSWORD","value":"…"}` (from lists of variables), in `{"1":"password","2":"…"}` (an entry of a
 * map in a protobuf message), and in `{"user":"ann","pass":"…"}`: next to a user, it is the user's password.
 */
export function namedField(object: object): NamedField | undefined {
  const key = 'value' in object ? 'value' : '2' in object ? '2' : undefined
  if (key === undefined) return passwordOfUser(object)
  const { name, key: other, 1: first } = object as Readonly<Record<string, unknown>>
  const found = key === '2' ? first : (name ?? other)
  return typeof found === 'string' ? { key, name: found } : undefined
}

function passwordOfUser(object: object): NamedField | undefined {
  const key = 'pass' in object ? 'pass' : 'pwd' in object ? 'pwd' : undefined
  if (key === undefined) return undefined
  const isUser = ['user', 'username', 'login', 'email'].some((name) => typeof Reflect.get(object, name) === 'string')
  return isUser ? { key, name: 'user_pass' } : undefined
}
