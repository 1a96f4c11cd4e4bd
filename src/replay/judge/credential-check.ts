import type { FieldDifference } from '../../divergence/divergence.ts'
import { blankStandIns, type StandInSides } from '../../divergence/stand-ins.ts'
import type { PathRules } from '../../divergence/path-rules.ts'
import type { Unproven, UnprovenCredential } from '../../divergence/unproven-credential.ts'
import type { SentCredential } from '../../http/sent-credentials.ts'
import { forgetVariables, variablesIn } from '../../node/variables.ts'
import { toPath } from '../../trace/path.ts'
import type { RecordedCredential } from '../calls/compared-headers.ts'
import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'

type Verdict = 'same' | 'different' | Unproven

/**
 * Compares in whose name calls are made. No trace has a credential's value, and another machine has other ones. So what counts is where a value
 * comes from: two values agree if the same variable had both, or if the replayed run was given the recorded one. Within one origin, a recorded
 * value stands for one replayed value.
 */
export class CredentialCheck {
  readonly #redaction: ReplayRedaction
  readonly #rules: PathRules
  /** The replayed value of each recorded one, and the reverse, by origin. */
  readonly #live = new Map<string, string>()
  readonly #recorded = new Map<string, string>()
  /** The replayed value that was accepted for each recorded one, and why nothing could be proven. It stays so: what is learned only adds to it. */
  readonly #accepted = new Map<string, { readonly value: string; readonly why: Unproven | undefined }>()
  readonly #unproven = new Map<string, UnprovenCredential>()
  readonly #ignored = new Map<string, boolean>()

  constructor(redaction: ReplayRedaction, rules: PathRules) {
    this.#redaction = redaction
    this.#rules = rules
    forgetVariables()
  }

  /** What was accepted without proof, in the order of the calls. */
  get unproven(): readonly UnprovenCredential[] {
    return [...this.#unproven.values()]
  }

  /** The values of unknown origin that were accepted, by the stand-ins of the recorded ones. */
  get ofUnknownOrigin(): ReadonlyMap<string, string> {
    const unknownOnes = [...this.#accepted].filter(([, { why }]) => why === 'unknown-origin')
    return new Map(unknownOnes.map(([recorded, { value }]) => [recorded, value]))
  }

  /** Whether a call is made in the name of a recorded step. */
  agrees({ input }: ReplayCall, { call }: PlannedStep): boolean {
    const [recorded, made] = [call.credentials ?? none, input?.credentials ?? none]
    if (this.#areAccepted(recorded, made)) return true
    return this.#pairs(recorded, made).every(([one, other]) => one !== undefined && other !== undefined && this.#isSame(one, other))
  }

  /** A call was matched with a step: each of its values stands for the recorded one from now on. */
  learn({ input }: ReplayCall, { call }: PlannedStep): void {
    if (this.#areAccepted(call.credentials ?? none, input?.credentials ?? none)) {
      for (const { at, value = '' } of call.credentials ?? none) this.#note(call.step, at, this.#accepted.get(value)?.why)
      return
    }
    for (const [recorded, made] of this.#pairs(call.credentials ?? none, input?.credentials ?? none)) {
      if (recorded === undefined || made === undefined) continue
      if (recorded.text !== undefined) {
        this.#redaction.isSame(recorded.text, this.#redaction.redactor.value([made.at, made.value] as const)[1])
        continue
      }
      const verdict = this.#verdict(recorded, made)
      const why = verdict === 'same' || verdict === 'different' ? undefined : verdict
      this.#note(call.step, made.at, why)
      if (verdict !== 'different') this.#accepted.set(recorded.value ?? '', { value: made.value, why })
      const origin = this.#originOf(recorded, made)
      if (origin === undefined) continue
      if (!this.#live.has(`${origin} ${recorded.value}`)) this.#live.set(`${origin} ${recorded.value}`, made.value)
      if (!this.#recorded.has(`${origin} ${made.value}`)) this.#recorded.set(`${origin} ${made.value}`, recorded.value ?? '')
    }
  }

  /** Where a call and a step differ in their credentials. */
  differences({ input }: Pick<ReplayCall, 'input'>, { call }: Pick<PlannedStep, 'call'>): FieldDifference[] {
    return this.#pairs(call.credentials ?? none, input?.credentials ?? none).flatMap(([recorded, made]): FieldDifference[] => {
      const { at } = recorded ?? made ?? { at: '' }
      if (recorded !== undefined && made !== undefined && this.#isSame(recorded, made)) return []
      const part = recorded?.text === undefined ? 'credential' : 'headers'
      const path = at.startsWith('query.') ? at : toPath(['headers', ...at.split(/(?<=^(?:cookie|[\w-]*authorization))\./)], '')
      const [expected, received] = [recorded && this.#describeRecorded(recorded), made && this.#describeMade(made)]
      return [{ path, part, expected, received }]
    })
  }

  /** Whether two credentials at different places are the same one: a new version of an SDK sends its key in another header. */
  isMoved(recorded: RecordedCredential, made: SentCredential): boolean {
    return this.#verdict(recorded, made) !== 'different'
  }

  /** Whether a recorded value comes from nothing that is known: a process may have kept it from an earlier run. */
  isForeign({ text, value = '', variables = [] }: RecordedCredential): boolean {
    return text === undefined && variables.length === 0 && !this.#isGiven(value)
  }

  /** Whether each value at each place was accepted before, for the same recorded one. */
  #areAccepted(recorded: readonly RecordedCredential[], made: readonly SentCredential[]): boolean {
    if (recorded.length !== made.length) return false
    let index = 0
    for (const one of recorded) if (!this.#isAccepted(one, made[index++])) return false
    return true
  }

  #isAccepted({ at, value = '', text }: RecordedCredential, made: SentCredential | undefined): boolean {
    return text === undefined && made?.at === at && this.#accepted.get(value)?.value === made.value
  }

  #note(step: number, at: string, why: Unproven | undefined): void {
    if (why !== undefined) this.#unproven.set(`${step} ${at}`, { step, at, why })
  }

  /** Pairs the values at each place; a place with several has them in their order. */
  #pairs(
    recorded: readonly RecordedCredential[],
    made: readonly SentCredential[],
  ): (readonly [RecordedCredential | undefined, SentCredential | undefined])[] {
    if (recorded.length === 0 && made.length === 0) return []
    const left = [...made]
    const pairs = recorded.map((one): readonly [RecordedCredential | undefined, SentCredential | undefined] => {
      const index = left.findIndex(({ at }) => at === one.at)
      return [one, index === -1 ? undefined : left.splice(index, 1)[0]]
    })
    return [...pairs, ...left.map((other) => [undefined, other] as const)].filter(
      ([one, other]) => !this.#isIgnored((one ?? other)?.at ?? ''),
    )
  }

  #isSame(recorded: RecordedCredential, made: SentCredential): boolean {
    if (recorded.text !== undefined) return this.#isSameText(recorded.text, made) || commonVariable(recorded, made) !== undefined
    return this.#verdict(recorded, made) !== 'different'
  }

  #isSameText(text: string, { at, value }: SentCredential): boolean {
    if (text === value) return true
    const [, redacted] = this.#redaction.redactor.value([at, value] as const)
    return this.#redaction.renaming.fork().isSame(text, redacted)
  }

  #verdict(recorded: RecordedCredential, made: SentCredential): Verdict {
    const { value = '', variables = [] } = recorded
    // The agent was given the value, and passes it on.
    if (isSameStandIn(value, made.value, this.#redaction.renaming.sides)) return 'same'
    const shared = commonVariable(recorded, made)
    if (shared !== undefined) {
      if (!this.#corresponds(shared, value, made.value)) return 'different'
      return variablesIn(made.value).length > variables.length ? 'same-value' : 'same'
    }
    const here = variablesIn(made.value)
    if (variables.length > 0 && here.length > 0) return 'different'
    if (this.#isGiven(value) || this.#isGiven(made.value)) return 'different'
    if (!this.#corresponds(unknown, value, made.value)) return 'different'
    return 'unknown-origin'
  }

  /** One text may stand for several recorded values: a user's own stand-in for all of them. */
  #corresponds(origin: string, value: string, made: string): boolean {
    return (this.#live.get(`${origin} ${value}`) ?? made) === made
  }

  #originOf(recorded: RecordedCredential, made: SentCredential): string | undefined {
    if (isSameStandIn(recorded.value ?? '', made.value, this.#redaction.renaming.sides)) return undefined
    return commonVariable(recorded, made) ?? unknown
  }

  /** Whether a recorded value, or one of the replay, came from the run's input or an answer. */
  #isGiven(text: string): boolean {
    return this.#redaction.renaming.sides.live.find(text).some(({ number }) => this.#redaction.isGiven(number))
  }

  #isIgnored(at: string): boolean {
    const known = this.#ignored.get(at)
    if (known !== undefined) return known
    const [root = '', name = ''] = at.startsWith('query.') ? ['query', at.slice(6)] : ['headers', at.split('.', 1)[0] ?? '']
    const kept = this.#rules.value({ [root]: { [name]: '' } }) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
    const isIgnored = kept[root] === undefined || !(name in kept[root])
    this.#ignored.set(at, isIgnored)
    return isIgnored
  }

  #describeRecorded({ text, value = '', variables = [] }: RecordedCredential): string {
    if (text !== undefined) return variables.length === 0 ? text : `${text} (${variables.join(', ')})`
    if (variables.length > 0) return `the value of ${variables.join(' or ')}`
    return this.#isGiven(value) ? `${value}, which the run was given` : 'a value of unknown origin'
  }

  #describeMade({ value }: SentCredential): string {
    const variables = variablesIn(value)
    if (variables.length > 0) return `the value of ${variables.join(' or ')}`
    return this.#isGiven(value) ? `${value}, which the run was given` : 'another value'
  }
}

/** The origin of values that are in no variable. */
const unknown = '?'

const none: readonly never[] = []

/** Whether two texts have the same stand-ins; a value may be written in several forms. */
function isSameStandIn(recorded: string, made: string, sides: StandInSides): boolean {
  if (recorded === made) return true
  const [one, other] = [blankStandIns(recorded, sides.recorded), blankStandIns(made, sides.live)]
  return one.text === other.text && one.numbers.length > 0 && one.numbers.join(' ') === other.numbers.join(' ')
}

function commonVariable({ variables = [] }: RecordedCredential, { value }: SentCredential): string | undefined {
  if (variables.length === 0) return undefined
  const here = variablesIn(value)
  return variables.find((name) => here.includes(name))
}
