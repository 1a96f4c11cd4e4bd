import { parsePath, type PathPattern } from '../trace/path.ts'
import type { OwnRule, RedactionRecord } from '../trace/run-row.ts'
import { builtInRules } from './built-in-rules.ts'
import { CleanTexts } from './clean-texts.ts'
import type { RedactOptions, RedactionRule } from './redact-options.ts'
import { findPattern, type Found, type Rule } from './rule.ts'

/** The rules of one recorder or replay. */
export interface RuleSet {
  /** For texts, those of the user first. */
  readonly rules: readonly Rule[]
  /** For fields by their path. */
  readonly paths: readonly { readonly name: string; readonly path: PathPattern }[]
  /** Whether a text may hold a secret that a rule finds by what it looks like. */
  readonly mayHoldSecret: (text: string) => boolean
  /** Whether what stands in fields of a name may be a secret, whatever it looks like. */
  readonly isField: (name: string) => boolean
  /** The names of rules of the user's, which may find what spans any characters. */
  readonly ownNames: ReadonlySet<string>
  /** Whether a value is public. */
  readonly keeps: (secret: string) => boolean
  readonly standsInForDraws: boolean
  /** As a trace's header tells of them. */
  readonly record: Omit<RedactionRecord, 'standIns'>
}

/** The rules that a recorder is told to run. */
export function createRuleSet({ rules = [], off = [], keep = [], draws = 'keep' }: RedactOptions = {}): RuleSet {
  const running = builtInRules.filter(({ name }) => !off.includes(name))
  const names = ['header-allowlist', ...new Set([...running, ...rules].map(({ name }) => name))]
  const record: RuleSet['record'] = {
    rules: names,
    ...(rules.length === 0 ? {} : { own: rules.map(toRecordedRule) }),
    ...(keep.length === 0 ? {} : { keep: keep.map((kept) => (typeof kept === 'string' ? { text: kept } : toRecordedPattern(kept))) }),
    ...(draws === 'keep' ? {} : { draws }),
  }
  return build(running, rules, keep, draws, record)
}

/**
 * The rules that a trace was redacted with: what is made of the live side of a replay must be the same. Functions cannot be written down; they
 * come from `options`, where they have the name of the recorded rule.
 */
export function recordedRuleSet(recorded: RedactionRecord, options: RedactOptions = {}): RuleSet {
  const running = builtInRules.filter(({ name }) => recorded.rules.includes(name) && options.off?.includes(name) !== true)
  const given = options.rules ?? []
  const own = (recorded.own ?? []).flatMap((rule) => (given.some(({ name }) => name === rule.name) ? [] : fromRecordedRule(rule)))
  const kept = (recorded.keep ?? []).map((keep) => ('text' in keep ? keep.text : new RegExp(keep.pattern, keep.flags)))
  return build(running, [...given, ...own], [...kept, ...(options.keep ?? [])], recorded.draws ?? 'keep', recorded)
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
  const rules = [...own.flatMap(toRule), ...builtIn]
  const fields = new Map<string, boolean>()
  return {
    rules,
    mayHoldSecret: createProbe(rules.map(({ hint }) => hint)),
    isField: (name) => {
      // Few names come up over and over.
      let known = fields.get(name)
      if (known === undefined) {
        known = rules.some(({ isField }) => isField?.(name) === true)
        if (fields.size < maxFields) fields.set(name, known)
      }
      return known
    },
    paths: own.flatMap((rule) => ('path' in rule ? toPathRule(rule.name, rule.path) : [])),
    ownNames: new Set(own.map(({ name }) => name)),
    keeps: (secret) => texts.has(secret.toLowerCase()) || patterns.some((pattern) => pattern.test(secret)),
    standsInForDraws: draws === 'stand-in',
    record,
  }
}

/** A longer text is looked through for one hint after the other: each is found at its own speed, and all at once at that of the slowest. */
const shortestProbed = 1_000

/** @param hints Of which a text with a secret has one. */
function createProbe(hints: readonly (RegExp | undefined)[]): (text: string) => boolean {
  const known = hints.filter((hint) => hint !== undefined)
  if (known.length < hints.length) return () => true
  const any = new RegExp(known.map(({ source }) => source).join('|'))
  // Runs of an agent begin with the same instructions.
  const clean = new CleanTexts()
  const probeLong = (text: string): boolean => {
    if (clean.has(text)) return false
    const isFound = known.some((hint) => hint.test(text))
    if (!isFound) clean.add(text)
    return isFound
  }
  return (text) => (text.length < shortestProbed ? any.test(text) : probeLong(text))
}

/** Names may be data, too. */
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

/** Without `g` and `y`, with which a pattern remembers where it was. */
function withoutState({ source, flags }: RegExp): RegExp {
  return new RegExp(source, flags.replaceAll(/[gy]/g, ''))
}

/** None for what is no path: options and headers with one are refused where they are read. */
function toPathRule(name: string, path: string): RuleSet['paths'] {
  const keys = parsePath(path)
  return 'problem' in keys ? [] : [{ name, path: keys }]
}
