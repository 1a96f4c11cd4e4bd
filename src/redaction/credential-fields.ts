import { isPlaceholder } from './placeholder.ts'
import { findPattern, type Found, type Rule } from './rule.ts'

/** Names of fields with credentials, in any spelling: `password`, `clientSecret`, `X-Api-Key`, `OPENAI_API_KEY`. */
export const credentialNames: string =
  'passw(?:or)?d|passphrase|client[_-]?secret|api[_-]?key|secret[_-]?(?:access[_-]?)?key|(?:access|refresh|auth|session|bot|id)[_-]?token|private[_-]?key|authorization'

/** Returns a pattern for the ends of such names, followed by `next`. Each begins with a character that is rarer than the first one of its word. */
export function credentialEndingBefore(next: string): RegExp {
  return new RegExp(
    `(?:[kK](?:ey|EY|(?<=[Tt]ok)en|(?<=TOK)EN)|c(?<=[Ss]ec)ret|C(?<=SEC)RET|[Pp]ass(?:w(?:or)?d|phrase)|PASS(?:W(?:OR)?D|PHRASE)|z(?<=uthoriz)ation|Z(?<=UTHORIZ)ATION)${next}`,
  )
}

/** The same before a quote, a colon or an equals sign. */
export const credentialEnding: RegExp = credentialEndingBefore('\\\\*["\'=:]')

const fieldName = new RegExp(`(?:${credentialNames})$`, 'i')

export const isCredentialField = (name: string): boolean => fieldName.test(name)

/** Returns whether an environment variable holds a credential, by its name: `SHOP_KEY`, `PGPASSWORD`. */
export function isCredentialVariable(name: string): boolean {
  return /(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PWD|PAT|CREDENTIALS?|AUTH|DSN)$/i.test(name) || isCredentialField(name)
}

/** `"password":"…"`, in JSON, in nested JSON and in the output of other languages. */
const quoted = new RegExp(
  `(?:${credentialNames})\\\\*["']\\s*[:=]\\s*(?<quote>\\\\*["'])(?<secret>(?:(?!\\k<quote>).){4,1000})(?=\\k<quote>|$)`,
  'gi',
)

/** `password=…`, in a URL, a form and an environment. */
const assigned = new RegExp(
  `(?:${credentialNames})=(?<quote>["']?)(?<secret>[^\\s"'&;,\\\\<>(){}\\[\\]]{4,1000})(?=["'&\\s;,\\\\<>#)}\\]]|$)`,
  'gi',
)

/** `x-api-key: …`, a header as text. Without the dash it may be a sentence. */
const header = /(?:api-key|-token|-secret): ?(?<secret>[\w.~+/=-]{8,4000})/gi

/** The value of such a field if it describes the secret instead of containing it: a type, a mask, a placeholder. */
export const noSecret: RegExp =
  /^(?:string|number|integer|boolean|object|array|null|none|true|false|undefined|required|optional|secret|password|redacted|[*x.•]+|<.*>|\$.*|\{.*\}|%.*%|process\.env.*|os\.environ.*)$/i

/** Returns whether a text mixes letters and digits, as words do not. */
export const isDrawn = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text)

/** Finds the credentials that match a pattern, except placeholders. */
export function* findCredentials(text: string, pattern: RegExp, isSecret: (secret: string) => boolean = () => true): Generator<Found> {
  for (const found of findPattern(text, pattern)) {
    const secret = text.slice(found.start, found.end)
    if (!noSecret.test(secret) && !isPlaceholder(secret) && isSecret(secret)) yield found
  }
}

/** An unquoted name in SQL, or the name of a function. */
export const sqlName: RegExp = /^[A-Za-z_][\w.$]*$/

/** The start of an authorization scheme. */
const scheme = /^(?:\w{3,20} )?(?=\S+$)/

/** Finds the values of fields whose name says that they are secret. */
export const credentialFields: Rule = {
  name: 'credential-field',
  hint: credentialEnding,
  isField: isCredentialField,
  *find(text, field, holder) {
    if (field !== undefined && isCredentialField(field)) yield* findInField(text, field)
    for (const pattern of [quoted, assigned, header]) {
      for (const found of findPattern(text, pattern)) {
        const value = text.slice(found.start, found.end)
        // In SQL this is a column: `SET password = other.password`.
        if (holder === 'sql' && text[found.start - 1] === '=' && sqlName.test(value)) continue
        yield* findInField(value, '', found.start)
      }
    }
  },
}

/** @param offset Where the value starts. */
export function* findInField(value: string, field: string, offset = 0): Generator<Found> {
  const isHeader = /authorization$/i.test(field)
  const start = isHeader ? (scheme.exec(value)?.[0].length ?? 0) : 0
  if ([value, value.slice(start)].some((text) => noSecret.test(text) || isPlaceholder(text))) return
  yield { start: offset + start, end: offset + value.length, shape: 'word' }
}
