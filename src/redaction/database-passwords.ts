import { noSecret } from './credential-fields.ts'
import { isPlaceholder } from './placeholder.ts'
import { findPattern, type Rule } from './rule.ts'

const text = '(?<quote>\\\\*[\'"])(?<secret>(?:\\k<quote>\\k<quote>|(?!\\k<quote>)(?:\\\\.|[^])){1,1000})(?=\\k<quote>|$)'

/** `IDENTIFIED BY '…'`, of MySQL and Oracle; MariaDB's `IDENTIFIED VIA … USING PASSWORD('…')`. */
const identified = new RegExp(
  `\\bidentified\\s+(?:(?:with|via)\\s+\\S{1,80}\\s+)?(?:by|as|using)\\s+(?:password\\s*)?\\(?\\s*${text}`,
  'gi',
)

/** `ALTER ROLE … PASSWORD '…'`, `SET PASSWORD FOR … = PASSWORD('…')`, `password = '…'`. */
const password = new RegExp(`\\bpassword(?=[\\s=(])\\s*(?:for\\s+\\S{1,200}\\s*)?(?:(?:=|to)\\s*)?(?:password\\s*)?\\(?\\s*${text}`, 'gi')

/** What statements of SQL set as a password. */
export const databasePasswords: Rule = {
  name: 'database-password',
  hint: /[Ii](?:dentified|DENTIFIED)\s|[Pp](?:assword|ASSWORD)[\s=(]/,
  *find(statement) {
    for (const pattern of [identified, password]) {
      for (const found of findPattern(statement, pattern)) {
        const secret = statement.slice(found.start, found.end)
        if (!noSecret.test(secret) && !isPlaceholder(secret)) yield { ...found, shape: 'word' }
      }
    }
  },
}
