import type { CheckPolicy } from '../config/define-config.ts'
import { compareValues } from '../divergence/compare-inputs.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { recordedRuleSet, type RuleSet } from '../redaction/rule-set.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { toRecorded } from '../trace/values.ts'
import { count } from './units.ts'

/** Something about a golden that a person should see to. */
export interface GoldenFinding {
  /** The golden's name. */
  readonly golden: string
  /**
   * `model`: recorded with another model than the config names; `age`: recorded too long ago; `secret`: something in it has the shape of one;
   * `rebased`: its answers are to questions that were asked in other words; `unreadable`.
   */
  readonly kind: 'model' | 'age' | 'secret' | 'rebased' | 'unreadable'
  readonly message: string
  /** Whether it is to be known only: it is no failure. */
  readonly isNote: boolean
}

const dayLength = 86_400_000

/** How many places of secrets are named. */
const shown = 3

/** What is to be said of a golden. `now` is in milliseconds since the epoch. */
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
      : [finding('rebased', `inputs taken over ${ago(daysSince(rebasedAt, now))}, answers recorded ${ago(age)}`, true)]),
  ]
}

/** Where something stands that redaction would take out. What was taken out when it was recorded redacts to itself. */
function findSecrets({ header, rows, steps, checkpoints, end }: Trace, ruleSet: RuleSet): string[] {
  const kept = recordedRuleSet(header.redaction)
  // What somebody kept on purpose stands in the header.
  const keeps = (secret: string): boolean => ruleSet.keeps(secret) || kept.keeps(secret)
  const redactor = createRedactor({ ruleSet: { ...ruleSet, keeps } })
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

/** What of a header the program or a person wrote. */
function headerFields({ input, tags, agentVersion, runtime, ambient, golden }: RunRow): object {
  return { input, tags, agentVersion, runtime, ambient, golden }
}

function listSome(places: readonly string[]): string {
  const more = places.length - shown
  return more > 0 ? `${places.slice(0, shown).join(', ')} and ${count(more, 'more place')}` : places.join(', ')
}

function daysSince(iso: string, now: number): number {
  return Math.floor((now - Date.parse(iso)) / dayLength)
}

function ago(days: number): string {
  return days < 1 ? 'today' : `${count(days, 'day')} ago`
}
