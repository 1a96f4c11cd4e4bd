import { builtInRules } from '../../redaction/built-in-rules.ts'
import type { RedactOptions } from '../../redaction/redact-options.ts'
import { createRuleSet, type RuleSet } from '../../redaction/rule-set.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/**
 * Returns the rules to scrub with: those of the config, or only those that are named.
 *
 * @throws GoldenrunError for a name that is no rule.
 */
export function scrubRules(options: RedactOptions = {}, names?: readonly string[]): RuleSet {
  if (names === undefined) return createRuleSet(options)
  const { rules = [] } = options
  const builtIn = builtInRules.map(({ name }) => name)
  const known = new Set([...rules.map(({ name }) => name), ...builtIn])
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new GoldenrunError('GOLDENRUN_SCRUB', `There is no redaction rule ${JSON.stringify(unknown)}. Rules: ${[...known].join(', ')}`)
  return createRuleSet({
    ...options,
    rules: rules.filter(({ name }) => names.includes(name)),
    off: builtIn.filter((name) => !names.includes(name)),
  })
}
