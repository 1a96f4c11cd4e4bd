import { findCredentials, findInField, isCredentialField, isDrawn } from './credential-fields.ts'
import { isPasswordField, passwordFields } from './password-fields.ts'
import type { Found, Rule } from './rule.ts'
import { isTokenField, tokenFields } from './token-fields.ts'

/** An option that says whether there is a password: `--no-password`, `--ask-password`. The next item is not its value. */
const withoutValue = /^--?(?:no|ask|show|hide|prompt|skip|without|generate|reset|change|require|need|use|save)-/i

/** `-u name:…` and `--proxy-user name:…` of curl. */
const userOption = /^(?:-[uU]|--(?:[a-z]{1,20}-)?user)$/

/** The password after a name. Digits or letters alone are a group or the port of a host. */
const userPassword = /^[\w.@+%-]{1,100}:(?<secret>[^\s/]\S{5,199})$/g

/** `"--api-key","…"`, in a list of arguments within JSON. */
const inJson =
  /(?<![\w-])(?<name>--?[A-Za-z][\w-]{0,60})(?<quote>\\*")\s*,\s*\k<quote>(?<value>(?!-)(?:(?!\k<quote>)[^\n]){4,1000})\k<quote>/g

/** Finds the values of options in lists of arguments: `['login', '--password', '…']`. */
export const credentialOptions: Rule = {
  name: 'credential-option',
  hint: /-(?<=(?:^|")-)-?[A-Za-z][\w-]{0,60}\\*"\s*,/,
  isField: (name) => userOption.test(name),
  isOption,
  *find(text, field) {
    if (field !== undefined && isOption(field)) yield* findValue(text, field)
    for (const { index, groups, 0: found } of text.matchAll(inJson)) {
      const { name = '', value = '', quote = '' } = groups ?? {}
      const offset = index + found.length - quote.length - value.length
      if (isOption(name)) for (const each of findValue(value, name)) yield { ...each, start: offset + each.start, end: offset + each.end }
    }
  },
}

/** Returns the option before an item of a list, if the item may be its value. */
export function optionBefore(list: readonly unknown[], index: number): string | undefined {
  const [before, item] = [list[index - 1], list[index]]
  const isValue = typeof item === 'string' && !item.startsWith('-')
  return isValue && typeof before === 'string' && before.startsWith('-') ? before : undefined
}

function isOption(name: string): boolean {
  return userOption.test(name) || (!withoutValue.test(name) && (isCredentialField(name) || isTokenField(name) || isPasswordField(name)))
}

function findValue(value: string, option: string): Iterable<Found> {
  if (userOption.test(option)) return findCredentials(value, userPassword, isDrawn)
  if (isPasswordField(option)) return passwordFields.find(value, option)
  return isCredentialField(option) ? findInField(value, option) : tokenFields.find(value, option)
}
