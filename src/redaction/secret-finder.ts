import { KnownValues } from './known-values.ts'
import { mostPassedOn, passedOnForms } from './passed-on-credentials.ts'
import type { RedactorOptions } from './redactor-types.ts'
import { markRevealable } from './revealable.ts'
import type { Found, Rule } from './rule.ts'
import type { RuleSet } from './rule-set.ts'
import type { StandIns } from './stand-in.ts'

/** How much of a text around a secret is searched for a stand-in. */
const around = 64

/** Finds the secrets in the texts of a run: what its rules match, and values that are known to be secret. */
export class SecretFinder {
  /** Values at the paths of the user's rules. */
  readonly byPath: KnownValues = new KnownValues()
  /** Credentials that the agent may pass on without the name or the place by which they were found. */
  readonly passedOn: KnownValues = new KnownValues()
  readonly #ruleSet: RuleSet
  readonly #options: RedactorOptions
  readonly #onLearned: () => void
  readonly #standIns: Pick<StandIns, 'find'>

  /** @param onLearned Called when the rules found a credential that is secret in the rest of the run. */
  constructor(ruleSet: RuleSet, options: RedactorOptions, standIns: Pick<StandIns, 'find'>, onLearned: () => void) {
    this.#ruleSet = ruleSet
    this.#options = options
    this.#standIns = standIns
    this.#onLearned = onLearned
  }

  /** Returns the secrets in a text; undefined if a rule of the user's failed on it. For `field` and `holder`, see `Rule.find`. */
  find(input: string, field?: string, holder?: string): Found[] | undefined {
    const { rules, ownNames, paths, keeps, mayHoldSecret } = this.#ruleSet
    const mayMatch = field !== undefined || mayHoldSecret(input)
    if (!mayMatch && this.byPath.size === 0 && this.passedOn.size === 0) return []
    const namesRules = this.#options.onStandIn !== undefined
    const found: Found[] = []
    const byLiteral = mayMatch ? this.#ruleSet.rulesByLiteral(input) : undefined
    for (const rule of mayMatch ? rules : []) {
      if (!mayFind(rule, input, field, byLiteral)) continue
      try {
        for (const one of rule.find(input, field, holder)) {
          found.push(namesRules ? { ...one, rule: rule.name } : one)
          if (this.#ruleSet.isPassedOn(rule)) this.#learn(input.slice(one.start, one.end))
        }
      } catch {
        // A text on which a rule failed is not written at all.
        this.#options.onFailure?.(rule.name)
        return undefined
      }
    }
    for (const one of this.byPath.findIn(input)) found.push(namesRules ? { ...one, rule: paths[0]?.name ?? '' } : one)
    found.push(...this.passedOn.findIn(input))
    const notKept = found.filter(({ start, end }) => {
      return !keeps(input.slice(start, end)) && !touchesStandIn(this.#standIns, input, start, end)
    })
    return namesRules ? markRevealable(notKept, ownNames) : notKept
  }

  #learn(credential: string): void {
    const forms = this.passedOn.size < mostPassedOn ? passedOnForms(credential, (text) => this.#standIns.find(text).length > 0) : []
    for (const form of forms) if (!this.#ruleSet.keeps(form) && this.passedOn.add(form)) this.#onLearned()
  }
}

/** Returns whether a rule may find something: by the name of the field, or because the text has what every such secret has. */
function mayFind(rule: Rule, input: string, field: string | undefined, byLiteral: ReadonlySet<Rule> | undefined): boolean {
  if (field !== undefined && (rule.isField ?? rule.isOption) !== undefined) return true
  return rule.literals === undefined ? rule.hint?.test(input) !== false : byLiteral?.has(rule) === true
}

/** Returns whether a part of a text has a stand-in, or is a part of one. */
export function touchesStandIn(standIns: Pick<StandIns, 'find'>, input: string, start: number, end: number): boolean {
  const from = Math.max(0, start - around)
  const found = standIns.find(input.slice(from, end + around))
  return found.some((standIn) => from + standIn.start < end && from + standIn.end > start)
}
