import { inCookie, inSecret } from './contained-fields.ts'
import { containerFiles } from './container-files.ts'
import { credentialEnding, noSecret } from './credential-fields.ts'
import { findExportedPasswords } from './exported-passwords.ts'
import { hintedRule, hintedRules } from './hinted-patterns.ts'
import { findKubernetesSecrets } from './kubernetes-secrets.ts'
import { findListedCookies } from './listed-cookies.ts'
import { passwordFields } from './password-fields.ts'
import { isPlaceholder } from './placeholder.ts'
import { findRegistryLogins, isEncodedLogin } from './registry-logins.ts'
import { findsNothing, type Rule } from './rule.ts'
import { settingsFiles } from './settings-files.ts'
import { findQuotedCredentials } from './written-pairs.ts'

const name = 'container-credential'

const fieldName = /^(?:_?auth|_password|npmAuthIdent|client-key-data|secret_key_base|bindpw|psk|mnemonic|seed_?phrase)$/i

/** Finds secrets by the container in which they are written. One name, with a rule for each way to search. */
export const containerCredentials: readonly Rule[] = [
  {
    name,
    hint: findsNothing,
    isField: (field) => field === inSecret || field === inCookie || fieldName.test(field),
    *find(text, field) {
      if (field !== undefined && isSecretIn(field, text)) yield { start: 0, end: text.length, shape: 'word' }
    },
  },
  ...hintedRules(name, containerFiles),
  hintedRule(name, ['auths', '-oauth', 'gitlab-token'], findRegistryLogins),
  hintedRule(name, ['Secret"', "Secret'", 'Secret\n', 'Secret\r', 'Secret\\'], findKubernetesSecrets),
  hintedRule(name, ['httpOnly', 'sameSite', 'ookie"', 'ookie\\'], findListedCookies),
  hintedRule(name, [',password', ',Password', ';password', ';Password', 'login_password'], findExportedPasswords),
  // The hints of the rules for other layouts: they are searched for once.
  ...[credentialEnding, ...[settingsFiles, passwordFields].flatMap(({ hint }) => hint ?? [])].map((hint) =>
    hintedRule(name, hint, findQuotedCredentials),
  ),
]

function isSecretIn(field: string, value: string): boolean {
  if (value.length < 4 || noSecret.test(value) || isPlaceholder(value)) return false
  if (field === inSecret || field === inCookie) return true
  if (!fieldName.test(field)) return false
  return /^_?auth$/i.test(field) ? isEncodedLogin(value) : !/^(?:true|false|always)$/i.test(value)
}
