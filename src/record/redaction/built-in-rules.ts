import { cookies } from './cookies.ts'
import { credentialFields } from './credential-fields.ts'
import { keyRules } from './key-rules.ts'
import { cardNumbers, emails, phoneNumbers } from './personal-data.ts'
import type { Rule } from './rule.ts'
import { tokenRules } from './token-rules.ts'

/** The rules that run unless they are turned off, those that know most of what they find first. */
export const builtInRules: readonly Rule[] = [...keyRules, ...tokenRules, cookies, emails, cardNumbers, phoneNumbers, credentialFields]
