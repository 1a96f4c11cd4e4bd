import { isDrawn, noSecret, sqlName } from './credential-fields.ts'
import { isPlaceholder } from './placeholder.ts'
import type { Found, Rule } from './rule.ts'

/** A second password in a form: `password2`, `passwordConfirmation`. */
const repeated = '(?:passw(?:or)?d|passphrase)[_-]?(?:\\d\\d?|confirm(?:ation)?|again|repeat|retype|verify|old|new|current)'

/** What has an account: `user_pass`, `dbPwd`. */
const account =
  '(?:user(?:name)?|usr|login|account|auth|admin|root|db|database|mysql|pg|postgres(?:ql)?|mongo(?:db)?|redis|amqp|rabbitmq|ldap|smtp|imap|pop3?|e?mail|s?ftp|ssh|proxy|wifi)'

/** Names of fields that contain nothing else. */
const certain = new RegExp(`${repeated}$|(?<!com)pass[_-]?code$|(?:^|[^A-Za-z])${account}[_-]?(?:pass|pwd)$`, 'i')

/** Names of fields that may also contain a ticket, a directory or the result of a test. */
const possible = /(?:^|[_.-])(?:[Pp]ass|PASS|[Pp]wd|PWD)$|[a-z\d](?:Pass|Pwd)$/
const ticket = /(?:boarding|season|day|ski|rail|event|festival)[_-]?pass$/i

const directory = /^(?:[~.]{0,2}\/|[A-Za-z]:\\)|:\/\//

/** A time, a version, a word with a number. */
const noPassword = /^\d{4}-\d\d-\d\dT|^v?\d+(?:\.\d+)+|^[A-Za-z]+[-_.]\d{1,3}$/

/** The end of such a name, with the sign and the value after it, in JSON and nested JSON. */
const end = `(?<end>${repeated}|pass(?:[_-]?code)?|pwd)`
const quoted = new RegExp(`${end}\\\\*["']\\s*[:=]\\s*(?<quote>\\\\*["'])(?<secret>(?:(?!\\k<quote>).){4,1000})(?=\\k<quote>|$)`, 'gi')

/** The same in a form, a URL, and a list of settings. */
const assigned = new RegExp(`${end}=(?<quote>["']?)(?<secret>[^\\s"'&;,\\\\<>(){}\\[\\]]{4,1000})(?=["'&\\s;,\\\\<#)}\\]]|$)`, 'gi')

/** Finds passwords in fields that credentials' own names do not cover: `pass`, `pwd`, `smtp_pass`, `password2`, `passcode`. */
export const passwordFields: Rule = {
  name: 'password-field',
  hint: /[pP](?:wd|WD|ass(?:[_-]?[cC]ode|(?:w(?:or)?d|phrase)[\w-]{1,14})?|ASS(?:[_-]?CODE|(?:W(?:OR)?D|PHRASE)[\w-]{1,14})?)\\*["'=]/,
  isField: isPasswordField,
  *find(text, field, holder) {
    if (field !== undefined && isPasswordIn(field, text)) yield { start: 0, end: text.length, shape: 'word' }
    yield* findNamed(text, quoted)
    for (const found of findNamed(text, assigned)) {
      const isColumn = holder === 'sql' && sqlName.test(text.slice(found.start, found.end)) && text[found.start - 1] === '='
      if (!isColumn) yield found
    }
  },
}

/** Returns whether the values of fields with this name may be passwords. */
export function isPasswordField(name: string): boolean {
  return certain.test(name) || (possible.test(name) && !ticket.test(name))
}

/** @param pattern Has groups `end`, of a name, and `secret`, its value. */
function* findNamed(text: string, pattern: RegExp): Generator<Found> {
  for (const { index, groups, 0: found } of text.matchAll(pattern)) {
    const { end: nameEnd = '', secret = '' } = groups ?? {}
    // Read backwards: a pattern would check every place in the text.
    const [before = ''] = /[\w.-]*$/.exec(text.slice(Math.max(0, index - 60), index)) ?? []
    const start = index + found.length - secret.length
    const name = before + nameEnd
    if (isPasswordIn(name, secret)) yield { start, end: start + secret.length, shape: 'word' }
  }
}

/** Returns whether the value of a field with this name is a password. */
export function isPasswordIn(name: string, value: string): boolean {
  if (!isPasswordField(name) || noSecret.test(value) || isPlaceholder(value) || directory.test(value)) return false
  return certain.test(name) || (value.length >= 6 && isDrawn(value) && !/\s/.test(value) && !noPassword.test(value))
}
