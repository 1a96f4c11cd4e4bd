import { types } from 'node:util'
import { checkOptionFields } from '../trace/errors/options-error.ts'
import { parsePath } from '../trace/path.ts'
import { builtInRules } from './built-in-rules.ts'
import { phoneCountries } from './phones-at-home.ts'

/** A rule of your own. Its matches are replaced by numbered stand-ins. */
export type RedactionRule =
  | {
      /** The name in the trace's header. */
      readonly name: string
      /**
       * Fields, in the notation of reports: `customer.name`, `items[*].note`, `headers["x-tenant"]`; `[*]` is every field or item. A path is matched
       * from its end: `customer.name` is the name of every customer, at any depth, and in JSON within text as well.
       */
      readonly path: string
    }
  | {
      readonly name: string
      /** Every match in every text: the group named `secret`, or the whole match. */
      readonly pattern: RegExp
    }
  | {
      readonly name: string
      /** Returns the secrets in a text. It is called with every text of the run, whole or in long pieces, and must be deterministic. */
      readonly find: (text: string) => Iterable<string>
    }

/** Values to replace before a trace is written. */
export interface RedactOptions {
  /** Rules of your own, which run before the built-in ones. Default: none. */
  readonly rules?: readonly RedactionRule[]
  /** Names of built-in rules to turn off. Default: none. */
  readonly off?: readonly string[]
  /** Public values, even if a rule matches them: the value itself, ignoring case, or a pattern for it. Default: none. */
  readonly keep?: readonly (string | RegExp)[]
  /**
   * `keep` keeps the random bytes that the run drew: most are ids and nonces. `stand-in` replaces draws of eight or more bytes, and their hex and
   * base64 forms wherever they occur. Default: `keep`.
   */
  readonly draws?: 'keep' | 'stand-in'
  /**
   * Countries whose phone numbers are found as people write them at home, without a calling code: `['DE', 'GB']`, by their codes in ISO 3166. A trace
   * keeps them, so that a replay finds the same numbers. Default: none.
   */
  readonly countries?: readonly string[]
}

/** @throws OptionsError for invalid options. */
export function checkRedactOptions(caller: string, options: RedactOptions | undefined): void {
  if (options === undefined) return
  const fail = checkOptionFields(caller, 'redact', options, ['rules', 'off', 'keep', 'draws', 'countries'])
  const names = builtInRules.map(({ name }) => name)
  for (const name of options.off ?? []) {
    if (!names.includes(name)) fail(`has no rule "${name}" to turn off. The built-in ones: ${names.join(', ')}.`)
  }
  const taken = new Set(names)
  for (const rule of options.rules ?? []) {
    if (typeof rule.name !== 'string' || rule.name === '') fail('has a rule without a name. Give it one: the trace names it.')
    if (taken.has(rule.name)) fail(`has two rules with the name "${rule.name}". Give each a name of its own that no built-in rule has.`)
    taken.add(rule.name)
    if ('path' in rule) {
      if ('problem' in parsePath(rule.path))
        fail(`has a path that cannot be parsed: ${JSON.stringify(rule.path)}. Write it like customer.name or items[*].note.`)
    } else if ('pattern' in rule ? !types.isRegExp(rule.pattern) : typeof rule.find !== 'function') {
      fail(`has a rule "${rule.name}" that looks for nothing. Give it a path, a pattern, or a function as find.`)
    }
  }
  for (const kept of options.keep ?? []) {
    if (typeof kept !== 'string' && !types.isRegExp(kept))
      fail('has to hold texts and patterns, keep: ["support@shop.example", /@shop\\.example$/].')
  }
  for (const country of options.countries ?? []) {
    if (!phoneCountries().includes(country)) fail(`has no country "${country}". There are: ${phoneCountries().join(', ')}.`)
  }
  if (options.draws !== undefined && options.draws !== 'keep' && options.draws !== 'stand-in') fail('draws has to be "keep" or "stand-in".')
}
