import type { FieldDifference } from '../../divergence/divergence.ts'
import { debugLog } from '../../node/debug.ts'
import { areStacksAsync } from '../../run/async-stacks.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { mayWrite } from '../../trace/reading-requests.ts'
import type { HttpInput } from '../../trace/rows.ts'
import { answerTime } from './answer-time.ts'
import { Answers, unanswered } from '../answers/answers.ts'
import type { Conductor } from '../engine/conductor.ts'
import type { RunDraws } from './draws/run-draws.ts'
import type { Finding } from './finding.ts'
import type { Findings } from './findings.ts'
import type { IncidentStop, IncidentWatch } from './incident/incident-watch.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import { Matcher } from './matcher.ts'
import type { Plan, PlannedStep } from '../calls/plan.ts'
import { RefusedError } from './refused-error.ts'
import type { ReplaySettings } from '../contract/replay-options.ts'
import { type Standing, standingOf } from './standing.ts'

/** Says what each call was matched with, and why not. */
const debug = debugLog('match')

/** An agent that catches everything and tries again would never end. */
const usualRefusalLimit = 50

/** So many calls within one turn of the event loop that the trace does not have: an agent whose tools run and never wait would never let the turn end. */
const callsInOneTurn = 10_000

/** What a judge works with. */
export interface JudgeParts {
  readonly plan: Plan
  readonly conductor: Conductor
  readonly findings: Findings
  readonly settings: ReplaySettings
  readonly redaction: ReplayRedaction
  readonly draws: RunDraws
  /** The run has work of its own under way until the release is called. */
  busy(): () => void
  /** Of the golden of an incident: what must not happen again. */
  readonly incident?: IncidentWatch | undefined
  /** After so many refusals calls no longer settle. Default: 50. */
  readonly refusalLimit?: number | undefined
}

/** A call that is like a recorded one whose turn it is not yet. */
interface EarlyCall {
  readonly call: ReplayCall
  readonly step: PlannedStep
}

/** Finds out what each call of a replay is: a recorded step, one that changed, or one that the trace does not have; and sees to its answer. */
export class CallJudge {
  /** The replay ends here and now, whatever the agent does. */
  exhausted = false
  readonly #parts: JudgeParts
  readonly #matcher: Matcher
  readonly #answers: Answers
  #undecided: ReplayCall[] = []
  /** Calls that may be recorded ones, once what stands before those is known to be left out. */
  readonly #early: EarlyCall[] = []
  #refusals = 0

  constructor(parts: JudgeParts) {
    this.#parts = parts
    this.#matcher = new Matcher(parts.plan, parts.settings.rules, parts.redaction.renaming, parts.draws)
    this.#answers = new Answers(parts.settings)
  }

  /** Whether it is not known yet of some call what it is. */
  get isOpen(): boolean {
    return this.#undecided.length > 0 || this.#early.length > 0
  }

  /** A call with an equal recorded one is that; for any other the turn of the event loop has to end first. */
  hear(call: ReplayCall): void {
    if (call.isLate) for (const step of this.#matcher.passEnd()) this.#parts.findings.missed(step)
    this.#parts.findings.order.hear(call)
    // What is found later has no stack of its own: a limit that runs out, an answer that is waited for in vain.
    if (areStacksAsync()) call.trail ??= captureTrail()
    const refusal = this.#isStopped() ? undefined : this.#parts.incident?.refuses(call)
    if (refusal !== undefined) this.#refuseInIncident(call, refusal)
    else if (!this.#takeEqual(call)) {
      // Only now is the agent's code still on the stack.
      call.trail ??= captureTrail()
      this.#undecided.push(call)
    }
    this.#parts.conductor.wake()
  }

  /** Whether more calls wait for the end of the turn than any agent makes that lets it end. */
  get isFlooded(): boolean {
    return this.#undecided.length > callsInOneTurn
  }

  /** Decides on the calls since the last turn: all equal inputs first, then what is left is held against what is due. */
  decide(): boolean {
    if (this.#undecided.length === 0) return false
    if (this.isFlooded) return this.#decideFlood()
    const ready = this.#undecided.filter((call) => call.input !== undefined)
    if (ready.length === 0) return false
    this.#undecided = this.#undecided.filter((call) => call.input === undefined)
    const unequal = ready.filter((call) => !this.#takeEqual(call))
    for (const call of unequal) this.#decideUnequal(call)
    if (this.#isStopped()) this.decideEarly()
    return true
  }

  /** The first tells what the others are. */
  #decideFlood(): boolean {
    const [first] = this.#undecided.splice(0)
    if (first !== undefined) this.#decideUnequal(first)
    this.exhausted = true
    return true
  }

  /** The run waits for nothing but calls that came too early: what stands before the recorded ones was left out. Tells whether there were any. */
  decideEarly(): boolean {
    const early = this.#early.splice(0).toSorted((one, other) => one.step.place - other.step.place)
    for (const { call, step } of early) {
      const isLeft = this.#matcher.untaken(call).includes(step)
      if (this.#isStopped()) this.#refuse(call)
      else if (isLeft) {
        this.#parts.conductor.leaveOutBefore(step)
        this.#decideAs(call, [step])
      } else this.#decideUnequal(call)
    }
    return early.length > 0
  }

  #takeEqual(call: ReplayCall): boolean {
    const step = this.#isStopped() ? undefined : this.#matcher.takeEqual(call)
    if (step !== undefined) this.#meet(call, step, 'equal input')
    return step !== undefined
  }

  #meet(call: ReplayCall, step: PlannedStep, why: string): void {
    debug?.(() => `${describeCall(call)} is step ${step.call.step}: ${why}`)
    call.planned = step
    call.name = step.call.name
    this.#parts.findings.made(call, step)
    this.#parts.incident?.made(call, step)
    this.#parts.conductor.meet(step, call)
  }

  #decideUnequal(call: ReplayCall): void {
    if (this.#isStopped()) return this.#refuse(call)
    const alike = this.#matcher.takeAlike(call, (step) => this.#mayBe(call, step))
    if (alike !== undefined) return this.#meet(call, alike, 'equal but for stand-ins or drawn values')
    if (call.isLate && !call.runs && this.#isNoFinding(call)) return this.#refuse(call)
    if (this.#parts.incident !== undefined) return this.#decideInIncident(call, this.#parts.incident)
    const standing = this.#standingOf(call)
    if ('due' in standing) return this.#decideAs(call, standing.due)
    debug?.(() => `${describeCall(call)} may be step ${standing.jumpsTo.call.step}, which is not due: decided when nothing else happens`)
    this.#early.push({ call, step: standing.jumpsTo })
  }

  /** Whether nothing follows from a call that the run left behind: it only reads, or the trace does not say what came after the end. */
  #isNoFinding(call: ReplayCall): boolean {
    if (isRead(call)) return true
    if (this.#parts.plan.isWatched) return false
    const site = callSite((call.trail ?? captureTrail()).stack)
    this.#parts.findings.lateCalls.push({ name: call.name, ...(site && { site }) })
    return true
  }

  /** A step whose turn has not come is what a call is only where it is more like it than those that are due. */
  #mayBe(call: ReplayCall, step: PlannedStep): boolean {
    const { conductor, findings } = this.#parts
    if (conductor.isDue(step)) return true
    const count = findings.differencesFrom(call, step).length
    return !this.#matcher.untaken(call).some((other) => conductor.isDue(other) && findings.differencesFrom(call, other).length <= count)
  }

  /** The recorded steps that an unequal call may stand for. */
  #standingOf(call: ReplayCall): Standing {
    const changesFrom = (step: PlannedStep): readonly FieldDifference[] => this.#parts.findings.changesFrom(call, step)
    const untaken = Object.groupBy(this.#matcher.untaken(call), (step) => (this.#parts.conductor.isDue(step) ? 'due' : 'later'))
    const { due = [], later = [] } = untaken
    // A call made again as it was is one more, unless it was made again with nothing but other draws.
    if (this.#matcher.repeats(call)) return { due: due.filter((step) => changesFrom(step).length === 0) }
    return standingOf(call, { due, later, made: this.#matcher.taken(call) }, changesFrom)
  }

  #decideAs(call: ReplayCall, due: readonly PlannedStep[]): void {
    const { findings, settings } = this.#parts
    const { step, isAllowed, ...finding } = findings.unequal(call, due)
    debug?.(
      () => `${describeCall(call)} equals no recorded input; due: ${listSteps(due)}; ${finding.divergence.cause}${describePaths(finding)}`,
    )
    if (step !== undefined) {
      this.#matcher.take(step)
      call.heldAgainst = step
    }
    // A tool whose function runs needs no answer; where its input changed, that is all there is to say.
    if (step !== undefined && (isAllowed || call.runs || (settings.mode === 'continue' && !this.#answers.has(call)))) {
      call.changed = !isAllowed
      return this.#meet(call, step, isAllowed ? 'the difference is allowed' : 'a changed one')
    }
    if (call.runs) return this.#parts.conductor.goRound()
    const answer = this.#answers.for(call)
    if (answer !== undefined) {
      if (step !== undefined) findings.replaced(step)
      return this.#answer(call, answer, finding, step)
    }
    this.#decline(call, finding)
  }

  /** Up to the trigger recorded answers win, after it where nothing differs but what differed before; else the answers that were given. */
  #decideInIncident(call: ReplayCall, incident: IncidentWatch): void {
    const { findings } = this.#parts
    const differences = (step: PlannedStep): readonly FieldDifference[] => findings.differencesFrom(call, step)
    const step = incident.counterpartOf(call, this.#matcher.untaken(call), differences)
    const { divergence, place } = findings.unequal(call, step === undefined ? [] : [step])
    if (step !== undefined) {
      incident.drifts(divergence)
      this.#matcher.take(step)
      call.heldAgainst = step
      call.changed = true
      return this.#meet(call, step, 'a changed one, before the trigger of the incident')
    }
    if (call.runs) return this.#parts.conductor.goRound()
    const answer = incident.mayAnswer(call) ? this.#answers.for(call) : undefined
    if (answer !== undefined) return this.#answer(call, answer, { divergence, place })
    this.#decline(call, { divergence, place })
  }

  #refuseInIncident(call: ReplayCall, why: IncidentStop): void {
    call.trail ??= captureTrail()
    const { findings, incident } = this.#parts
    const finding = findings.unequal(call, [])
    incident?.stopAt(why, finding.divergence)
    findings.stopAt(finding)
    this.#refuse(call)
  }

  #answer(call: ReplayCall, answer: Promise<unknown>, finding: Finding, step?: PlannedStep): void {
    debug?.(() => `${describeCall(call)} is answered by answers or handlers`)
    const release = this.#parts.busy()
    this.#parts.conductor.goRound()
    const settle = async (): Promise<void> => {
      const value = await answer
      if (value === unanswered) return this.#decline(call, finding)
      this.#parts.conductor.takeUntil(call.at + answerTime(this.#parts.plan, call, step))
      call.delivery.answer(value)
    }
    const refuse = (error: unknown): void => call.delivery.refuse(error instanceof Error ? error : new Error(String(error)))
    void settle().catch(refuse).finally(release)
  }

  /** Nobody has an answer. */
  #decline(call: ReplayCall, finding: Finding): void {
    this.#parts.incident?.stopAt(this.#parts.incident.reasonAgainst(call), finding.divergence)
    if (this.#parts.settings.mode !== 'continue') this.#parts.findings.stopAt(finding)
    this.#refuse(call)
  }

  /** Counts what was refused, here or elsewhere, towards the limit. */
  countRefusal(): void {
    this.#refusals += 1
    if (this.#refusals > (this.#parts.refusalLimit ?? usualRefusalLimit)) this.exhausted = true
  }

  #refuse(call: ReplayCall): void {
    debug?.(() => `${describeCall(call)} is refused`)
    this.countRefusal()
    // Nobody waits for what the run left behind: its rejection would only be one that nobody handles.
    if (!this.exhausted && !call.isLate) call.delivery.refuse(new RefusedError(call, this.#parts.findings.stop?.divergence))
  }

  #isStopped(): boolean {
    return this.exhausted || this.#parts.findings.stop !== undefined
  }
}

function describeCall({ number, boundary, name, input }: ReplayCall): string {
  return `call ${number} (${boundary} ${name}${input === undefined ? ', its body is still being sent' : ''})`
}

function listSteps(steps: readonly PlannedStep[]): string {
  return steps.length === 0 ? 'none' : steps.map(({ call }) => call.step).join(', ')
}

/** Paths, never values. */
function describePaths({ divergence: { differences } }: Finding): string {
  return differences.length === 0 ? '' : ` at ${differences.map(({ path }) => path || '(whole)').join(', ')}`
}

/** Whether a call changes nothing outside: so it says, or its method does. */
function isRead({ boundary, effect, input }: ReplayCall): boolean {
  if (boundary === 'tool' || boundary === 'external') return effect === 'read'
  const request = input?.value as HttpInput | undefined
  return request !== undefined && !mayWrite(request)
}
