import { commandCredentials } from './command-credentials.ts'
import { containerCredentials } from './container-credentials.ts'
import { credentialOptions } from './credential-options.ts'
import { cookies, wholeCookies } from './cookies.ts'
import { credentialFields } from './credential-fields.ts'
import { databaseLiterals, databasePasswords } from './database-passwords.ts'
import { internationalEmails } from './international-emails.ts'
import { keyRules } from './key-rules.ts'
import { jsonWebKeys } from './json-web-keys.ts'
import { passwordFields } from './password-fields.ts'
import { ibans, socialSecurityNumbers } from './numbers-of-people.ts'
import { openAddresses } from './open-addresses.ts'
import { phonesAtHome } from './phones-at-home.ts'
import { cardNumbers, emails, phoneNumbers } from './personal-data.ts'
import type { Rule } from './rule.ts'
import { passedOnCredentials } from './passed-on-credentials.ts'
import { quotedEmails } from './quoted-emails.ts'
import { tokenFields } from './token-fields.ts'
import { serviceKeys } from './service-keys.ts'
import { settingsFiles } from './settings-files.ts'
import { encodedText } from './encoded-text.ts'
import { environmentVariable } from './environment-secrets.ts'
import { streamedOutput } from './spelled-texts.ts'
import { tokenRules } from './token-rules.ts'
import { writtenCredentials } from './written-credentials.ts'

/**
 * The rules that run unless they are turned off, the most specific first. A trace names the rules that redacted it, and a replay runs only these.
 * Anything new is therefore found by a rule with a new name; otherwise existing goldens would fail.
 */
export const builtInRules: readonly Rule[] = [
  ...keyRules,
  ...serviceKeys,
  ...tokenRules,
  cookies,
  wholeCookies,
  openAddresses,
  internationalEmails,
  emails,
  cardNumbers,
  ibans,
  phoneNumbers,
  socialSecurityNumbers,
  credentialFields,
  tokenFields,
  ...writtenCredentials,
  databasePasswords,
  databaseLiterals,
  settingsFiles,
  credentialOptions,
  passwordFields,
  jsonWebKeys,
  ...containerCredentials,
  ...commandCredentials,
  quotedEmails,
  phonesAtHome,
  streamedOutput,
  encodedText,
  environmentVariable,
  passedOnCredentials,
]
