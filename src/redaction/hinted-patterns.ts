import { findCredentials } from './credential-fields.ts'
import type { Found, Rule } from './rule.ts'

/** A way to search for secrets, and what its texts contain. */
export interface HintedPattern {
  /** Every text with such a secret contains at least one of them: literals of at least four characters, or one pattern. */
  readonly hint: readonly string[] | RegExp
  /** Finds the secrets: the group `secret`. As a text, it is global, and made into a pattern when it is first needed: most texts have no hint. */
  readonly pattern: string | RegExp
  /** Returns whether a value is a secret. Default: every value is. */
  readonly isSecret?: (value: string) => boolean
}

/** Returns rules with one name for patterns. */
export function hintedRules(name: string, patterns: readonly HintedPattern[]): readonly Rule[] {
  return patterns.map((given) => {
    let global: RegExp | undefined
    return hintedRule(name, given.hint, (text) => {
      global ??= toGlobal(given.pattern)
      return findCredentials(text, global, given.isSecret)
    })
  })
}

function toGlobal(pattern: string | RegExp): RegExp {
  return typeof pattern === 'string' ? new RegExp(pattern, 'g') : pattern
}

/** Returns a rule that searches only texts with a hint. */
export function hintedRule(name: string, hint: HintedPattern['hint'], find: (text: string) => Iterable<Found>): Rule {
  return hint instanceof RegExp ? { name, hint, find } : { name, literals: hint, find }
}
