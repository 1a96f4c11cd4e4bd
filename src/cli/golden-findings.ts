import type { CheckPolicy } from '../config/define-config.ts'
import { compareValues } from '../divergence/compare-inputs.ts'
import { redactorStandIns } from '../redaction/trace-stand-ins.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { recordedRuleSet, type RuleSet } from '../redaction/rule-set.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { toRecorded } from '../trace/values.ts'
import { count } from './units.ts'

/** A problem of a golden, or a note about it. */
export interface GoldenFinding {
  /** The golden's name. */
  readonly golden: string
  /**
   * `model`: recorded with a different model from the one in the config; `age`: recorded too long ago; `secret`: contains something that
   * looks like a secret; `rebased`: its answers belong to differently worded requests; `unreadable`.
   */
  readonly kind: 'model' | 'age' | 'secret' | 'rebased' | 'unreadable'
  readonly message: string
  /** Whether it is only a note, not a failure. */
  readonly isNote: boolean
}

const dayLength = 86_400_000

/** The number of places of secrets that are named. */
const shown = 3

/** Returns the findings about a golden. `now` is in milliseconds since the epoch. */
export function findInGolden(
  name: string,
  trace: Trace,
  { maxAgeDays = Infinity, models = {} }: CheckPolicy,
  ruleSet: RuleSet,
  now: number,
): GoldenFinding[] {
  const { header } = trace
  const finding = (kind: GoldenFinding['kind'], message: string, isNote = false): GoldenFinding => ({ golden: name, kind, message, isNote })
  const wanted = Object.hasOwn(models, header.agent) ? [models[header.agent] ?? []].flat() : undefined
  const others = header.contracts.models.filter((model) => wanted?.includes(model) === false)
  const age = daysSince(header.startedAt, now)
  const secrets = findSecrets(trace, ruleSet)
  const rebasedAt = header.golden?.rebasedAt
  return [
    ...(others.length === 0 ? [] : [finding('model', `recorded with ${others.join(', ')}; the config names ${wanted?.join(', ') ?? ''}`)]),
    ...(age > maxAgeDays ? [finding('age', `recorded ${ago(age)}; at most ${count(maxAgeDays, 'day')} are allowed`)] : []),
    ...(secrets.length === 0 ? [] : [finding('secret', `something that looks like a secret: ${listSome(secrets)}`)]),
    ...(rebasedAt === undefined
      ? []
      : [finding('rebased', `inputs rebased ${ago(daysSince(rebasedAt, now))}, answers recorded ${ago(age)}`, true)]),
  ]
}

/** Returns the places of values that redaction would replace. Existing stand-ins redact to themselves. */
export function findSecrets(trace: Trace, ruleSet: RuleSet): string[] {
  const { header, rows, steps, checkpoints, end } = trace
  const kept = recordedRuleSet(header.redaction)
  // Values kept on purpose are listed in the header.
  const keeps = (secret: string): boolean => ruleSet.keeps(secret) || kept.keeps(secret)
  const redactor = createRedactor({ ruleSet: { ...ruleSet, keeps }, standIns: redactorStandIns(trace) })
  const placesIn = (value: unknown, root: string): string[] => {
    const recorded = toRecorded(value)
    const redacted = redactor.value(recorded)
    return redacted === recorded ? [] : compareValues(recorded, redacted, root).map(({ path }) => path)
  }
  const notes = rows.filter((row) => row.kind === 'note' || row.kind === 'signal')
  return [
    ...placesIn(headerFields(header), 'run'),
    ...steps.flatMap(({ step, input, output, error, idempotencyKey }) => {
      return placesIn({ input, output, error, idempotencyKey }, `step ${step}`)
    }),
    ...checkpoints.flatMap(({ name, state }) => placesIn({ state }, `checkpoint ${name}`)),
    ...notes.flatMap((row) => placesIn({ ...row }, row.kind)),
    ...placesIn({ output: end?.output, error: end?.error }, 'end'),
  ]
}

/** Returns the header fields that come from the program or a person. */
function headerFields({ input, tags, agentVersion, runtime, ambient, golden }: RunRow): object {
  return { input, tags, agentVersion, runtime, ambient, golden }
}

export function listSome(places: readonly string[]): string {
  const more = places.length - shown
  return more > 0 ? `${places.slice(0, shown).join(', ')} and ${count(more, 'more place')}` : places.join(', ')
}

function daysSince(iso: string, now: number): number {
  return Math.floor((now - Date.parse(iso)) / dayLength)
}

function ago(days: number): string {
  return days < 1 ? 'today' : `${count(days, 'day')} ago`
}
