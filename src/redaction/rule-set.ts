import { parsePath, type PathPattern } from '../trace/path.ts'
import type { OwnRule, RedactionRecord } from '../trace/run-row.ts'
import { builtInRules } from './built-in-rules.ts'
import { CleanTexts } from './clean-texts.ts'
import { passedOnRules } from './passed-on-credentials.ts'
import { Literals } from './literals.ts'
import { phonesOf } from './phones-at-home.ts'
import type { RedactOptions, RedactionRule } from './redact-options.ts'
import { findPattern, findsNothing, type Found, type Rule } from './rule.ts'

/** The rules of one recorder or replay. */
export interface RuleSet {
  /** Rules for texts, the user's first. */
  readonly rules: readonly Rule[]
  /** Rules for fields by path. */
  readonly paths: readonly { readonly name: string; readonly path: PathPattern }[]
  /** Returns whether a text may contain a secret that a rule finds by its shape. */
  readonly mayHoldSecret: (text: string) => boolean
  /** Returns the rules with literals that a text contains. */
  readonly rulesByLiteral: (text: string) => ReadonlySet<Rule> | undefined
  /** Returns whether the values of fields with this name may be secret, whatever their shape. */
  readonly isField: (name: string) => boolean
  /** Returns whether the item after an option with this name, in a list of arguments, may be secret. */
  readonly isOption: (name: string) => boolean
  /** Whether the pieces of an output that was handed out piece by piece are searched as one text. */
  readonly joinsPieces: boolean
  /** Whether texts that are encoded in base64 are searched. */
  readonly readsEncoded: boolean
  /** Whether the values of environment variables that hold credentials are secret wherever they occur. */
  readonly knowsEnvironment: boolean
  /** Returns whether what a rule finds is secret in the rest of the run. */
  readonly isPassedOn: (rule: Rule) => boolean
  /** The names of the user's rules, which may match arbitrary spans. */
  readonly ownNames: ReadonlySet<string>
  /** Returns whether a value is public. */
  readonly keeps: (secret: string) => boolean
  readonly standsInForDraws: boolean
  /** The rules as recorded in a trace's header. */
  readonly record: Omit<RedactionRecord, 'standIns'>
}

/** Creates the rules for a recorder. */
export function createRuleSet({ rules = [], off = [], keep = [], draws = 'keep', countries = [] }: RedactOptions = {}): RuleSet {
  const running = runningRules((name) => !off.includes(name), countries)
  const names = ['header-allowlist', ...new Set([...running, ...rules].map(({ name }) => name))]
  const record: RuleSet['record'] = {
    rules: names,
    ...(rules.length === 0 ? {} : { own: rules.map(toRecordedRule) }),
    ...(keep.length === 0 ? {} : { keep: keep.map((kept) => (typeof kept === 'string' ? { text: kept } : toRecordedPattern(kept))) }),
    ...(draws === 'keep' ? {} : { draws }),
    ...(countries.length === 0 ? {} : { countries }),
  }
  return build(running, rules, keep, draws, record)
}

/**
 * Returns the rules that a trace was redacted with: the live side of a replay has to be redacted in the same way. Functions cannot be serialized;
 * they are taken from `options`, by the name of the recorded rule.
 */
export function recordedRuleSet(recorded: RedactionRecord, options: RedactOptions = {}): RuleSet {
  const runs = (name: string): boolean => recorded.rules.includes(name) && options.off?.includes(name) !== true
  const running = runningRules(runs, recorded.countries ?? [])
  const given = options.rules ?? []
  const own = (recorded.own ?? []).flatMap((rule) => (given.some(({ name }) => name === rule.name) ? [] : fromRecordedRule(rule)))
  return build(running, [...given, ...own], [...publicValuesOf(recorded), ...(options.keep ?? [])], recorded.draws ?? 'keep', recorded)
}

/** The public values of a trace, in the form of `RedactOptions.keep`. */
export function publicValuesOf({ keep = [] }: RedactionRecord): (string | RegExp)[] {
  return keep.map((kept) => ('text' in kept ? kept.text : new RegExp(kept.pattern, kept.flags)))
}

/** Returns the built-in rules that run, with the numbers of some countries. */
function runningRules(runs: (name: string) => boolean, countries: readonly string[]): readonly Rule[] {
  const rules = countries.length === 0 ? builtInRules : [...builtInRules, phonesOf(countries)]
  return rules.filter(({ name }) => runs(name))
}

function build(
  builtIn: readonly Rule[],
  own: readonly RedactionRule[],
  keep: readonly (string | RegExp)[],
  draws: 'keep' | 'stand-in',
  record: Omit<RedactionRecord, 'standIns'>,
): RuleSet {
  const texts = new Set(keep.flatMap((kept) => (typeof kept === 'string' ? [kept.toLowerCase()] : [])))
  const patterns = keep.flatMap((kept) => (typeof kept === 'string' ? [] : [withoutState(kept)]))
  const passedOn = passedOnRules(builtIn)
  const rules = [...own.flatMap(toRule), ...builtIn]
  const literals = new Literals(rules.flatMap((rule) => (rule.literals ?? []).map((literal) => [literal, rule] as const)))
  const fields = new Map<string, boolean>()
  return {
    rules,
    mayHoldSecret: createProbe(
      rules.filter((rule) => rule.literals === undefined).map(({ hint }) => hint),
      literals,
    ),
    rulesByLiteral: (text) => literals.find(text),
    isField: (name) => {
      // The same few names occur over and over.
      let known = fields.get(name)
      if (known === undefined) {
        known = rules.some(({ isField }) => isField?.(name) === true)
        if (fields.size < maxFields) fields.set(name, known)
      }
      return known
    },
    isOption: (name) => rules.some(({ isOption }) => isOption?.(name) === true),
    joinsPieces: rules.some(({ joinsPieces }) => joinsPieces === true),
    readsEncoded: rules.some(({ readsEncoded }) => readsEncoded === true),
    knowsEnvironment: rules.some(({ knowsEnvironment }) => knowsEnvironment === true),
    paths: own.flatMap((rule) => ('path' in rule ? toPathRule(rule.name, rule.path) : [])),
    isPassedOn: (rule) => passedOn.has(rule),
    ownNames: new Set(own.map(({ name }) => name)),
    keeps: (secret) => texts.has(secret.toLowerCase()) || patterns.some((pattern) => pattern.test(secret)),
    standsInForDraws: draws === 'stand-in',
    record,
  }
}

/**
 * From this length on, a text is searched for one hint after the other: each search then runs at its own speed, instead of all at the speed of the
 * slowest.
 */
const shortestProbed = 1_000

/** @param hints A text with a secret contains at least one of them. */
function createProbe(hints: readonly (RegExp | undefined)[], literals: Literals<unknown>): (text: string) => boolean {
  const given = hints.filter((hint) => hint !== undefined)
  if (given.length < hints.length) return () => true
  // In one pattern with the others, `(?!)` would make them all slower.
  const bySource = new Map(given.map((hint) => [hint.source, hint]))
  bySource.delete(findsNothing.source)
  const known = [...bySource.values()]
  const any = new RegExp([...bySource.keys()].join('|'))
  // Runs of an agent begin with the same instructions.
  const clean = new CleanTexts()
  const probeLong = (text: string): boolean => {
    if (clean.has(text)) return false
    const isFound = known.some((hint) => hint.test(text)) || literals.find(text) !== undefined
    if (!isFound) clean.add(text)
    return isFound
  }
  return (text) => (text.length < shortestProbed ? any.test(text) || literals.find(text) !== undefined : probeLong(text))
}

/** Names may be data as well. */
const maxFields = 10_000

function toRule(rule: RedactionRule): Rule[] {
  const { name } = rule
  if ('path' in rule) return []
  if ('find' in rule) return [{ name, find: (text) => findTexts(text, rule.find(text)) }]
  const pattern = new RegExp(rule.pattern.source, [...new Set(`${rule.pattern.flags.replace('y', '')}g`)].join(''))
  return [{ name, find: (text) => findPattern(text, pattern) }]
}

function* findTexts(text: string, secrets: Iterable<string>): Generator<Found> {
  for (const secret of new Set(secrets)) {
    if (secret === '') continue
    for (let start = text.indexOf(secret); start !== -1; start = text.indexOf(secret, start + secret.length)) {
      yield { start, end: start + secret.length, shape: 'word' }
    }
  }
}

function toRecordedRule(rule: RedactionRule): OwnRule {
  if ('path' in rule) return { name: rule.name, path: rule.path }
  return 'pattern' in rule ? { name: rule.name, ...toRecordedPattern(rule.pattern) } : { name: rule.name }
}

function fromRecordedRule({ name, path, pattern, flags }: OwnRule): RedactionRule[] {
  if (path !== undefined) return [{ name, path }]
  return pattern === undefined ? [] : [{ name, pattern: new RegExp(pattern, flags) }]
}

function toRecordedPattern({ source, flags }: RegExp): { readonly pattern: string; readonly flags?: string } {
  return { pattern: source, ...(flags === '' ? {} : { flags }) }
}

/** Returns a pattern without `g` and `y`, which make it stateful. */
function withoutState({ source, flags }: RegExp): RegExp {
  return new RegExp(source, flags.replaceAll(/[gy]/g, ''))
}

/** Returns no rule for an invalid path: options and headers with one are refused where they are read. */
function toPathRule(name: string, path: string): RuleSet['paths'] {
  const keys = parsePath(path)
  return 'problem' in keys ? [] : [{ name, path: keys }]
}
