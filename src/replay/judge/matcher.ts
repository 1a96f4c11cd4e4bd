import { knownOrMade } from '../../trace/remember.ts'
import type { PathRules } from '../../divergence/path-rules.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import type { CredentialCheck } from './credential-check.ts'
import type { RunDraws } from './draws/run-draws.ts'
import type { StandInRenaming } from '../../divergence/stand-ins.ts'
import { type ReplayedInput, RecordedInput } from '../calls/replayed-input.ts'
import { groupOf, type Plan, type PlannedStep } from '../calls/plan.ts'

/** The recorded steps in their groups, and those that calls have taken. */
export class Matcher {
  readonly #groups: ReadonlyMap<string, Group>
  readonly #none: Group
  readonly #plan: Plan
  readonly #renaming: StandInRenaming
  readonly #taken = new Set<PlannedStep>()
  #isOver = false
  /** The group of the last call, which is often the next call's group, too. */
  #latest: Group

  constructor(
    plan: Plan,
    rules: PathRules,
    { renaming }: Pick<ReplayRedaction, 'renaming'>,
    draws: RunDraws,
    credentials: CredentialCheck,
  ) {
    const compared = { taken: this.#taken, rules, renaming, draws, credentials }
    const group = (name: string, steps: readonly PlannedStep[]): Group => new Group(name, steps, compared)
    this.#groups = new Map(Array.from(plan.groups, ([name, steps]) => [name, group(name, steps)]))
    this.#latest = this.#none = group('', [])
    this.#plan = plan
    this.#renaming = renaming
  }

  /** The run is over: steps that had settled by then no longer match calls. Returns those that no call has taken, and none on the second call. */
  passEnd(): PlannedStep[] {
    if (this.#isOver) return []
    this.#isOver = true
    const { steps, endPlace } = this.#plan
    const missed = [...steps.values()].filter((step) => (step.settledPlace ?? Infinity) < endPlace && !this.#taken.has(step))
    for (const step of missed) this.take(step)
    return missed
  }

  /** Takes a step for a call whose input differs. */
  take(step: PlannedStep): void {
    this.#taken.add(step)
  }

  /** The next message of a gRPC call. A differing message is matched with it, because messages are in order. */
  nextInOrder({ boundary, name }: ReplayCall, untaken: readonly PlannedStep[]): PlannedStep | undefined {
    return boundary === 'external' && isMessage(name) ? untaken[0] : undefined
  }

  /** The recorded steps of the call's owner, boundary and name. */
  groupOf({ owner, boundary, name }: ReplayCall): Group {
    const group = groupOf({ owner: owner?.planned?.call.step ?? 0, boundary, name }, this.#renaming.sides.live)
    if (this.#latest.name !== group) this.#latest = this.#groups.get(group) ?? this.#none
    return this.#latest
  }
}

interface RecordedStep {
  readonly step: PlannedStep
  readonly input: RecordedInput
  /** For a fork's edited call: the input that the agent passed. */
  readonly agentInput: RecordedInput | undefined
}

/** How the calls of a group are compared. */
interface ComparedBy {
  /** The steps that calls have taken, of all groups. */
  readonly taken: Set<PlannedStep>
  readonly rules: PathRules
  readonly renaming: StandInRenaming
  readonly draws: RunDraws
  readonly credentials: CredentialCheck
}

/** Steps whose inputs are equal apart from their stand-ins. */
interface Queue {
  readonly steps: RecordedStep[]
  head: number
}

/** Whether order is fixed: everything written to a process is one text, and the messages of a gRPC call are in order. */
function isSequence(group: string): boolean {
  const [, boundary = '', ...name] = group.split(' ')
  const called = name.join(' ')
  return boundary === 'external' && (isMessage(called) || (called.startsWith('process ') && called.endsWith(' stdin')))
}

function isMessage(name: string): boolean {
  return name.startsWith('grpc ') && name.endsWith(' send')
}

/** Finds the recorded step of a call: ordered queues of equal inputs, within one owner, boundary and name. */
class Group {
  readonly name: string
  readonly #isSequence: boolean
  readonly #displaced = new WeakSet<ReplayCall>()
  readonly #renaming: StandInRenaming
  readonly #draws: RunDraws
  readonly #credentials: CredentialCheck
  readonly #steps: readonly RecordedStep[]
  readonly #taken: Set<PlannedStep>
  #head = 0
  #queues: Map<string, Queue> | undefined

  constructor(name: string, steps: readonly PlannedStep[], { taken, rules, renaming, draws, credentials }: ComparedBy) {
    this.#credentials = credentials
    this.name = name
    this.#taken = taken
    this.#isSequence = isSequence(name)
    this.#renaming = renaming
    this.#draws = draws
    this.#steps = steps.map((step) => {
      const { agentInput } = step.call
      const asMade =
        agentInput === undefined ? undefined : new RecordedInput({ ...step.call, input: agentInput }, rules, renaming.sides.recorded)
      return { step, input: new RecordedInput(step.call, rules, renaming.sides.recorded), agentInput: asMade }
    })
  }

  /**
   * Takes the first step with an equal input that no call has taken yet. If the next step differs in nothing but whose name it is made in, only a step
   * that is also due counts: otherwise, the call is the next one, in another's name.
   */
  takeEqual(call: ReplayCall, isDue: (step: PlannedStep) => boolean): PlannedStep | undefined {
    const { input } = call
    if (input === undefined) return undefined
    this.#skipTaken()
    const next = this.#steps[this.#head]
    if (next === undefined) return undefined
    // Unchanged code makes the calls of a group in order, so the match is nearly always the next step.
    const isEqual = input.isSameAs(next.input) || (next.agentInput !== undefined && input.isSameAs(next.agentInput))
    const isNext = isEqual && this.#credentials.agrees(call, next.step)
    const found = isNext ? next : (this.#nextInQueue(call, input) ?? this.#cutOff(call, input))
    if (
      found === undefined ||
      (isEqual && found !== next && !isDue(found.step)) ||
      (this.#isSequence && !this.#isInSequence(call, found === next)) ||
      !this.#draws.areSame(() => found.input.blanked.text, found.step.place)
    )
      return undefined
    this.#taken.add(found.step)
    this.#credentials.learn(call, found.step)
    return found.step
  }

  /** A call that was out of sequence when it was made stays out of sequence. */
  #isInSequence(call: ReplayCall, isNext: boolean): boolean {
    if (!isNext) this.#displaced.add(call)
    return isNext && !this.#displaced.has(call)
  }

  /** Takes the first accepted untaken step whose input differs only in corresponding draws. */
  takeAlike(call: ReplayCall, accepts: (step: PlannedStep) => boolean): PlannedStep | undefined {
    const { input } = call
    if (input === undefined) return undefined
    const found = this.#steps.slice(this.#head).find(({ step, input: recorded }) => {
      if (this.#taken.has(step) || !this.#credentials.agrees(call, step) || this.#claims(recorded, input.blanked.numbers) < 0) return false
      const [expected, received] = [recorded.blanked.text, input.blanked.text]
      return expected !== received && this.#draws.areAlike(expected, received, step.place, () => accepts(step))
    })
    if (found !== undefined) {
      this.#taken.add(found.step)
      this.#learn(found.input, input)
      this.#credentials.learn(call, found.step)
    }
    return found?.step
  }

  /** The steps that no call has taken, in recorded order. */
  untaken(): readonly PlannedStep[] {
    this.#skipTaken()
    return this.#steps.slice(this.#head).flatMap(({ step }) => (this.#taken.has(step) ? [] : [step]))
  }

  /** The same for steps that calls have taken. */
  taken(): readonly PlannedStep[] {
    return this.#steps.flatMap(({ step }) => (this.#taken.has(step) ? [step] : []))
  }

  /** The last taken step with an equal input: the call repeats it. */
  takenEqual(call: ReplayCall): PlannedStep | undefined {
    const { input } = call
    if (input === undefined) return undefined
    const { text, numbers } = input.blanked
    const queue = this.#queuesByInput().get(text)
    // A call that is equal only under an unconfirmed renaming is not a repetition.
    return queue?.steps.findLast(
      ({ step, input: recorded }) => this.#taken.has(step) && this.#claims(recorded, numbers) === 0 && this.#credentials.agrees(call, step),
    )?.step
  }

  /** The first untaken step with an equal input. If stand-ins distinguish candidates, those that fit the known renaming come first. */
  #nextInQueue(call: ReplayCall, input: ReplayedInput): RecordedStep | undefined {
    const { text, numbers } = input.blanked
    const queue = this.#queuesByInput().get(text)
    if (queue === undefined) return undefined
    for (; queue.head < queue.steps.length; queue.head += 1) {
      const head = queue.steps[queue.head]
      if (head !== undefined && !this.#taken.has(head.step)) break
    }
    let possible: RecordedStep | undefined
    for (let index = queue.head; index < queue.steps.length; index += 1) {
      const next = queue.steps[index]
      if (next === undefined || this.#taken.has(next.step) || !this.#credentials.agrees(call, next.step)) continue
      const claims = this.#claims(next.input, numbers)
      if (claims === 0) return next
      if (claims > 0) possible ??= next
    }
    if (possible !== undefined) this.#learn(possible.input, input)
    return possible
  }

  /** The first untaken step whose body was only partly sent, and equals the beginning of the input. */
  #cutOff(call: ReplayCall, input: ReplayedInput): RecordedStep | undefined {
    return this.#steps.find(
      ({ step, input: recorded }) =>
        step.call.cut !== undefined && !this.#taken.has(step) && input.isSameAs(recorded) && this.#credentials.agrees(call, step),
    )
  }

  /** How many pairs of stand-ins have to be learned to make two inputs equal; negative if that is impossible. */
  #claims({ blanked }: RecordedInput, numbers: readonly number[]): number {
    return this.#renaming.pairsFor(blanked.numbers, numbers)?.size ?? -1
  }

  #learn(recorded: RecordedInput, live: ReplayedInput): void {
    const pairs = this.#renaming.pairsFor(recorded.blanked.numbers, live.blanked.numbers)
    if (pairs !== undefined) this.#renaming.learn(pairs)
  }

  #queuesByInput(): Map<string, Queue> {
    if (this.#queues !== undefined) return this.#queues
    const queues = new Map<string, Queue>()
    const enqueue = (recorded: RecordedStep): unknown =>
      knownOrMade(queues, recorded.input.blanked.text, () => ({ steps: [], head: 0 })).steps.push(recorded)
    for (const recorded of this.#steps) {
      enqueue(recorded)
      if (recorded.agentInput !== undefined) enqueue({ ...recorded, input: recorded.agentInput })
    }
    return (this.#queues = queues)
  }

  #skipTaken(): void {
    for (; this.#head < this.#steps.length; this.#head += 1) {
      const step = this.#steps[this.#head]?.step
      if (step !== undefined && !this.#taken.has(step)) return
    }
  }
}
