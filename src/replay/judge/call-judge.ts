import type { FieldDifference } from '../../divergence/divergence.ts'
import { debugLog } from '../../node/debug-log.ts'
import { captureTrail } from '../../run/call-site.ts'
import { answerTime } from './answer-time.ts'
import { Answers, unanswered } from '../answers/answers.ts'
import { ForkGate } from './fork-gate.ts'
import type { Finding } from './finding.ts'
import type { IncidentStop, IncidentWatch } from './incident/incident-watch.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { JudgeParts } from './judge-parts.ts'
import { LateCalls } from './late-calls.ts'
import { Matcher } from './matcher.ts'
import type { PlannedStep } from '../calls/plan.ts'
import { describeCall, describePaths, listSteps } from './decision-log.ts'
import { isRead } from '../calls/is-read.ts'
import { keepStack } from './keep-stack.ts'
import { RefusedError } from './refused-error.ts'
import { hardlyDiffers, type Standing, standingOf } from './standing.ts'

/** Logs what each call was matched with, or why it was not. */
const debug = debugLog('match')

/** Otherwise, an agent that catches every error and retries would never end. */
const usualRefusalLimit = 50

/**
 * The limit of unrecorded calls within one turn of the event loop. An agent whose tools run and never wait would never let the turn end.
 */
const callsInOneTurn = 10_000

/** Decides what each call of a replay is (a recorded step, a changed one, or one that the trace does not have) and gets it answered. */
export class CallJudge {
  /** The replay ends immediately, whatever the agent does. */
  exhausted = false
  readonly #parts: JudgeParts
  readonly #matcher: Matcher
  readonly #answers: Answers
  readonly #late: LateCalls
  #undecided: ReplayCall[] = []
  readonly #gate: ForkGate | undefined
  /** Calls that resemble recorded ones that are not due yet. They may match once the steps before are known to be left out. */
  readonly #early: { readonly call: ReplayCall; readonly step: PlannedStep }[] = []
  #refusals = 0

  constructor(parts: JudgeParts) {
    this.#parts = parts
    this.#matcher = new Matcher(parts.plan, parts.settings.rules, parts.redaction, parts.draws, parts.credentials)
    this.#answers = new Answers(parts.settings)
    this.#late = new LateCalls(parts, this.#matcher)
    this.#gate = parts.router && new ForkGate(parts.router, parts)
  }

  /** Whether some calls are undecided. */
  get isOpen(): boolean {
    return this.#undecided.length > 0 || this.#early.length > 0 || this.#gate?.isHolding === true
  }

  /** A call that equals a recorded one is matched immediately. Others are decided on when the turn of the event loop has ended. */
  hear(call: ReplayCall): void {
    if (call.isLate) for (const step of this.#matcher.passEnd()) this.#parts.findings.missed(step, call)
    const refusal = this.#isStopped() ? undefined : this.#parts.incident?.refuses(call)
    if (refusal === undefined && this.#takeRouted(call)) return
    this.#parts.findings.order.hear(call)
    keepStack(call, this.#parts.plan.steps.size)
    if (refusal !== undefined) this.#refuseInIncident(call, refusal)
    else if (!this.#takeEqual(call) && !this.#late.answerAtOnce(call)) {
      // The agent's code is on the stack only now.
      call.trail ??= captureTrail()
      this.#undecided.push(call)
    }
    this.#parts.conductor.wake()
  }

  /** Whether more calls wait for the end of the turn than any terminating agent would make. */
  get isFlooded(): boolean {
    return this.#undecided.length > callsInOneTurn
  }

  /** Decides on the calls since the last turn: equal inputs first, then the rest is compared with what is due. */
  decide(): boolean {
    if (this.#undecided.length === 0) return false
    if (this.isFlooded) return this.#decideFlood()
    const ready = this.#undecided.filter((call) => call.input !== undefined)
    if (ready.length === 0) return false
    this.#undecided = this.#undecided.filter((call) => call.input === undefined)
    const unequal = ready.filter((call) => !this.#takeEqual(call))
    for (const call of unequal) if (!this.#takeRouted(call)) this.#decideUnequal(call)
    if (this.#isStopped()) this.decideEarly()
    return true
  }

  /** Decides on an unmatched call that has to be answered before the agent continues. */
  decideNow(call: ReplayCall): void {
    const at = this.#undecided.indexOf(call)
    if (at === -1) return
    this.#undecided.splice(at, 1)
    if (!this.#takeRouted(call)) this.#decideUnequal(call)
  }

  /** Decides on the first call, which also decides for the others. */
  #decideFlood(): boolean {
    const [first] = this.#undecided.splice(0)
    if (first !== undefined) this.#decideUnequal(first)
    this.exhausted = true
    return true
  }

  /** Called when the run waits only for calls that came too early, so the steps before them were left out. Returns whether there were any. */
  decideEarly(): boolean {
    const held = this.#gate?.release() ?? []
    for (const call of held) if (!this.#takeRouted(call)) this.#decideAs(call, [])
    const early = this.#early.splice(0).toSorted((one, other) => one.step.place - other.step.place)
    for (const { call, step } of early) {
      const isLeft = this.#matcher.groupOf(call).untaken().includes(step)
      if (this.#isStopped()) this.#refuse(call)
      else if (isLeft) {
        this.#parts.conductor.leaveOutBefore(step)
        this.#decideAs(call, [step])
      } else this.#decideUnequal(call)
    }
    return early.length > 0 || held.length > 0
  }

  /** In a fork: takes a call if it comes from the fork's step on. Returns whether it does. */
  #takeRouted(call: ReplayCall): boolean {
    return this.#gate !== undefined && !this.#isStopped() && this.#gate.take(call)
  }

  /** A fork does not answer a call. */
  refuseRouted(call: ReplayCall, reason: string): void {
    call.route = 'refuse'
    call.trail ??= captureTrail()
    const finding = this.#parts.findings.refused(call, reason)
    this.#parts.incident?.stopAt('unanswered', finding.divergence)
    this.#parts.findings.stopAt(finding)
    this.#refuse(call)
  }

  #takeEqual(call: ReplayCall): boolean {
    const step = this.#isStopped() ? undefined : this.#matcher.groupOf(call).takeEqual(call, (one) => this.#parts.conductor.isDue(one))
    if (step === undefined) return false
    if (this.#gate?.departsWith(step) !== true || !this.#gate.depart(call)) this.#meet(call, step, 'equal input')
    return true
  }

  #meet(call: ReplayCall, step: PlannedStep, why: string): void {
    debug?.(() => `${describeCall(call)} is step ${step.call.step}: ${why}`)
    call.planned = step
    call.name = step.call.name
    call.delivery.met()
    this.#parts.findings.made(call, step)
    this.#parts.incident?.made(call, step)
    this.#parts.router?.meet(call, step)
    this.#parts.conductor.meet(step, call)
  }

  #decideUnequal(call: ReplayCall): void {
    if (this.#isStopped()) return this.#refuse(call)
    const alike = this.#matcher.groupOf(call).takeAlike(call, (step) => this.#mayBe(call, step))
    if (alike !== undefined) return this.#meet(call, alike, 'equal but for stand-ins or drawn values')
    if (this.#late.answer(call)) return
    if (call.isLate && !call.runs && this.#late.isNoFinding(call)) return
    if (this.#parts.incident !== undefined) return this.#decideInIncident(call, this.#parts.incident)
    const standing = this.#standingOf(call)
    if ('due' in standing) {
      // In a fork, the call may belong after the step, and is then too early.
      if (standing.due.length === 0 && this.#gate?.hold(call) === true) return
      return this.#decideAs(call, standing.due)
    }
    debug?.(() => `${describeCall(call)} may be step ${standing.jumpsTo.call.step}, which is not due: decided when nothing else happens`)
    this.#early.push({ call, step: standing.jumpsTo })
  }

  /** A call matches a step that is not due yet only if it is more similar to it than to those that are due. */
  #mayBe(call: ReplayCall, step: PlannedStep): boolean {
    const { conductor, findings } = this.#parts
    if (conductor.isDue(step)) return true
    const count = findings.calls.differencesFrom(call, step).length
    const untaken = this.#matcher.groupOf(call).untaken()
    return !untaken.some((other) => conductor.isDue(other) && findings.calls.differencesFrom(call, other).length <= count)
  }

  /** The recorded steps that an unequal call may match. */
  #standingOf(call: ReplayCall): Standing {
    const changesFrom = (step: PlannedStep): readonly FieldDifference[] => this.#parts.findings.calls.changesFrom(call, step)
    const group = this.#matcher.groupOf(call)
    const untaken = group.untaken()
    const next = this.#matcher.nextInOrder(call, untaken)
    if (next !== undefined) return { due: [next] }
    const possible = this.#parts.changeable?.(call, untaken) ?? untaken
    const { due = [], later = [] } = Object.groupBy(possible, (step) => (this.#parts.conductor.isDue(step) ? 'due' : 'later'))
    // A repeated call is an additional one, unless it hardly differs from what is due.
    if (group.takenEqual(call) !== undefined) return { due: due.filter((step) => hardlyDiffers(call, changesFrom(step))) }
    const { calls } = this.#parts.findings
    const lacksSkipped = (step: PlannedStep, how: 'at all' | 'only'): boolean => calls.lacksSkipped(call, step, how)
    return standingOf(call, { due, later, made: group.taken() }, { changesFrom, lacksSkipped }, this.#parts.redaction.renaming.sides)
  }

  #decideAs(call: ReplayCall, due: readonly PlannedStep[]): void {
    const { findings, settings } = this.#parts
    const { step, isAllowed, ...finding } = findings.unequal(call, due, this.#matcher.groupOf(call).takenEqual(call))
    debug?.(
      () => `${describeCall(call)} equals no recorded input; due: ${listSteps(due)}; ${finding.divergence.cause}${describePaths(finding)}`,
    )
    if (step !== undefined) {
      this.#matcher.take(step)
      call.heldAgainst = step
    }
    // A tool whose function runs needs no answer. If its input changed, nothing else is to be reported.
    const mayChange = this.#gate === undefined || call.boundary === 'model' || isRead(call, this.#parts.plan.effects)
    const keeps = settings.mode === 'continue' && mayChange && !this.#answers.has(call)
    if (step !== undefined && (isAllowed || call.runs || keeps)) {
      call.changed = !isAllowed
      return this.#meet(call, step, isAllowed ? 'the difference is allowed' : 'a changed one')
    }
    if (call.runs) return this.#parts.conductor.goRound()
    if (this.#gate?.depart(call) === true) return
    const answer = this.#answers.for(call)
    if (answer !== undefined) {
      if (step !== undefined) findings.replaced(step)
      return this.#answer(call, answer, finding, step)
    }
    this.#decline(call, finding)
  }

  /** Uses recorded answers before the trigger, and after it if the call differs only in ways seen before; otherwise the given answers. */
  #decideInIncident(call: ReplayCall, incident: IncidentWatch): void {
    const { findings } = this.#parts
    const differences = (step: PlannedStep): readonly FieldDifference[] => findings.calls.differencesFrom(call, step)
    // In a fork, the agent is free as soon as it has received what triggered the incident.
    const isFree = this.#gate !== undefined && incident.result.exercised
    const step = isFree ? undefined : incident.counterpartOf(call, this.#matcher.groupOf(call).untaken(), differences)
    const { divergence, place } = findings.unequal(call, step === undefined ? [] : [step])
    if (step !== undefined) {
      incident.drifts(divergence)
      this.#matcher.take(step)
      call.heldAgainst = step
      call.changed = true
      return this.#meet(call, step, 'a changed one, before the trigger of the incident')
    }
    if (call.runs) return this.#parts.conductor.goRound()
    if (incident.mayAnswer(call) && this.#gate?.depart(call) === true) return
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
    const arrive = (deliver: () => void): void => {
      this.#parts.conductor.takeUntil(call.at + answerTime(this.#parts.plan, call, step))
      deliver()
    }
    const settle = (value: unknown): void =>
      value === unanswered ? this.#decline(call, finding) : arrive(() => call.delivery.answer(value))
    void answer.then(settle, (error: unknown) => arrive(() => call.delivery.refuse(error))).finally(release)
  }

  /** The call has no answer. */
  #decline(call: ReplayCall, finding: Finding): void {
    this.#parts.incident?.stopAt(this.#parts.incident.reasonAgainst(call), finding.divergence)
    if (this.#parts.settings.mode !== 'continue' || this.#parts.router !== undefined) this.#parts.findings.stopAt(finding)
    this.#refuse(call)
  }

  /** Counts a refused call, whether refused here or elsewhere, towards the limit. */
  countRefusal(): void {
    this.#refusals += 1
    if (this.#refusals > (this.#parts.refusalLimit ?? usualRefusalLimit)) this.exhausted = true
  }

  #refuse(call: ReplayCall): void {
    debug?.(() => `${describeCall(call)} is refused`)
    this.countRefusal()
    // Nothing awaits calls that outlived the run: rejecting them would only be an unhandled rejection.
    if (this.exhausted || call.isLate) return
    this.#parts.findings.lines.followRefusal(call, this.#parts.findings.stop)
    call.delivery.refuse(new RefusedError(call, this.#parts.findings.stop?.divergence))
  }

  #isStopped(): boolean {
    return this.exhausted || this.#parts.findings.stop !== undefined
  }
}
