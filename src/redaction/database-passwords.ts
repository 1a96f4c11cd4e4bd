import { credentialNames, findCredentials, findInField, isCredentialField } from './credential-fields.ts'
import type { Found, Rule } from './rule.ts'
import { readSqlColumns } from './sql-columns.ts'

const text = '(?<quote>\\\\*[\'"])(?<secret>(?:\\k<quote>\\k<quote>|(?!\\k<quote>)(?:\\\\.|[^])){1,1000})(?=\\k<quote>|$)'

/** `E'…'`, `N'…'`, `_utf8mb4'…'`: the prefix of a literal, which says how it is written. */
const prefix = '(?:[en]|u&|_\\w{1,20}\\s*)'

/** `$$…$$`, `$tag$…$tag$`. */
const dollars = '(?<quote>\\$\\w{0,60}\\$)(?<secret>(?:(?!\\k<quote>)[^]){1,1000})(?=\\k<quote>|$)'

/** `IDENTIFIED BY`, of MySQL and Oracle; MariaDB's `IDENTIFIED VIA … USING PASSWORD(`. */
const identified = '\\bidentified\\s+(?:(?:with|via)\\s+\\S{1,80}\\s+)?(?:by|as|using)\\s+(?:password\\s*)?\\(?\\s*'

/** `ALTER ROLE … PASSWORD`, `SET PASSWORD FOR … = PASSWORD(`, `password =`. */
const password = '\\bpassword(?=[\\s=(])\\s*(?:for\\s+\\S{1,200}\\s*)?(?:(?:=|to)\\s*)?(?:password\\s*)?\\(?\\s*'

/** `` `api_key` = ``, `[password] =`, `"password" = E`. */
const quotedName = `(?:${credentialNames})(?:\`|\\]|\\\\*")\\s{0,20}:?=\\s{0,20}\\(?`

/** For encrypted SQLite: `PRAGMA key =`, `ATTACH … KEY`. */
const fileKey = '\\b(?:pragma\\s+(?:\\w{1,60}\\.)?(?:re|hex|hexre)?key\\s*[=(]|attach\\b[^;]{1,400}\\skey)\\s*'

/** `pgp_sym_decrypt(data, `, `AES_ENCRYPT('…', `: the key comes second. */
const cipher = `\\b(?:pgp_sym_(?:en|de)crypt(?:_bytea)?|aes_(?:en|de)crypt)\\s*\\((?:'(?:[^'\\\\]|'')*'|\\([^()]{0,200}\\)|[^(),'"]){0,200},\\s*`

/** `set_config('app.api_key', `. */
const setting = `\\bset_config\\s*\\(\\s*'[^']{0,80}(?:${credentialNames})'\\s*,\\s*`

const plainTexts = patternsOf([`${identified}${text}`, `${password}${text}`])
const otherTexts = patternsOf([
  `${quotedName}${prefix}?${text}`,
  ...[fileKey, cipher, setting].map((start) => `${start}${text}`),
  ...[identified, password].map((start) => `${start}${prefix}${text}`),
  ...[identified, password, quotedName].map((start) => `${start}${dollars}`),
])

/** Finds the passwords that SQL statements set. */
export const databasePasswords: Rule = {
  name: 'database-password',
  hint: /[Ii](?:dentified|DENTIFIED)\s|[Pp](?:assword|ASSWORD)[\s=(]/,
  find: (statement) => findSecrets(statement, plainTexts),
}

/** Finds the same with quotes that only some databases use, and values inserted into columns with such names. */
export const databaseLiterals: Rule = {
  name: 'database-literal',
  hint: /[`\]"]\s{0,20}:?=|[Ii](?:dentified|DENTIFIED)\s|[Pp](?:assword|ASSWORD)[\s=(]|[Pp](?:ragma|RAGMA)\s|[Aa](?:ttach|TTACH)\s|crypt(?:_bytea)?\s{0,20}\(|CRYPT\s{0,20}\(|set_config|\)(?:\s|\\+[nrt]){0,20}(?:[Vv]alues?|VALUES?)\b/,
  *find(statement) {
    yield* findSecrets(statement, otherTexts)
    yield* findInserted(statement)
  },
}

const insertion = /\b(?:insert|replace)\s{1,20}(?:\w{1,20}\s{1,20}){0,3}into\b/gi

function* findInserted(statement: string): Generator<Found> {
  // Within JSON, a line ends with an escape.
  const plain = statement.replaceAll(/(?<!\\)\\+[nrt]/g, (escape) => ' '.repeat(escape.length))
  const starts = Array.from(plain.matchAll(insertion), ({ index }) => index)
  for (const [at, from] of starts.entries()) {
    for (const { columns, start, end } of readSqlColumns(plain.slice(from, starts[at + 1])).texts) {
      const column = columns.find(isCredentialField)
      if (column !== undefined) yield* findInField(statement.slice(from + start, from + end), column, from + start)
    }
  }
}

function* findSecrets(statement: string, patterns: readonly RegExp[]): Generator<Found> {
  for (const pattern of patterns) yield* findCredentials(statement, pattern)
}

function patternsOf(sources: readonly string[]): RegExp[] {
  return sources.map((source) => new RegExp(source, 'gi'))
}
