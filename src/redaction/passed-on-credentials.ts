import { parseJson } from '../trace/json.ts'
import { isDrawnSecret } from './repeated-secrets.ts'
import { findsNothing, type Rule } from './rule.ts'

/**
 * Makes credentials that other rules find by their names secret in the rest of the run: an agent passes on a token under a different name. It finds
 * nothing by itself; its name in a trace's header tells a replay to do the same.
 */
export const passedOnCredentials: Rule = { name: 'passed-on-credential', hint: findsNothing, find: () => [] }

/** Rules that find credentials by the names before them. */
const byName = new Set([
  'token-field',
  'credential-field',
  'credential-option',
  'password-field',
  'written-credential',
  'database-password',
  'database-literal',
  'settings-file',
  'container-credential',
  'command-credential',
])

/** Returns the rules whose credentials are secret in the rest of the run. @param running The built-in rules that run. */
export function passedOnRules(running: readonly Rule[]): ReadonlySet<Rule> {
  return new Set(running.includes(passedOnCredentials) ? running.filter(({ name }) => byName.has(name)) : [])
}

/** The maximum number of credentials that are secret in the rest of a run: its memory is bounded. */
export const mostPassedOn = 10_000

/** Longer than any credential: a longer text is data. */
const longest = 4_000

/** Returns a credential as written and as an agent reads it. None if it may be a word, a number or a sentence, which prose contains as well. */
export function passedOnForms(written: string, holdsStandIn: (text: string) => boolean): readonly string[] {
  if (written.length > longest || /\s/.test(written) || holdsStandIn(written)) return []
  const read = written.includes('\\') ? parseJson(`"${written}"`) : undefined
  return [written, read].filter((form) => typeof form === 'string' && isDrawnSecret(form)) as string[]
}
