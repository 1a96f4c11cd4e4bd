import { captureTrail, isOfAgent, siteOf, type Trail } from '../../run/call-site.ts'
import { type Finding, makeDivergence } from './finding.ts'
import type { FiredTimer, ReplayCall } from '../calls/replay-call.ts'
import type { Plan, PlannedStep } from '../calls/plan.ts'
import { tolerance, type VirtualTimer, type VirtualTimers } from '../engine/virtual-timers.ts'
import { HiddenLines } from './hidden-lines.ts'

/**
 * Finds time limits that the recording does not have: an additional timer fires while recorded calls are in progress. It was a limit on one
 * of those calls if what follows cannot have waited for that call's answer: the call is aborted or tried again, the run ends, or the agent
 * makes a call that the recorded run made after the answer. Another call that the recorded run did not make says nothing: a timer may do anything.
 */
export class TimeLimits {
  /** The lines of limited calls that a client hides. */
  readonly lines: HiddenLines = new HiddenLines()
  readonly #found: Finding[] = []
  readonly #timers: VirtualTimers
  readonly #isReplay: boolean
  readonly #told = new Set<FiredTimer>()
  #fired: FiredTimer | undefined

  /** @param isReplay Whether the limits of the calls are known. For a recorded run they are not. */
  constructor(timers: VirtualTimers, isReplay: boolean) {
    this.#timers = timers
    this.#isReplay = isReplay
  }

  /**
   * The findings.
   *
   * @param stuckAt Where the agent was stopped or is stuck, if it is: if it waits for a call that the recorded run had aborted by then, the
   * limit is gone. The agent may still be waiting for a call that was aborted later.
   * @param endedAt Where the recorded run ended, if the agent has ended in the same way: a call that the recorded run cancelled by then, and
   * that the agent has not cancelled, is left to continue.
   */
  findings(stuckAt: number | undefined, endedAt?: number): readonly Finding[] {
    const { openCalls: open } = this.#timers
    const waited = stuckAt === undefined ? [] : open.flatMap((call) => waitedFor(call, stuckAt, 'answered') ?? [])
    const left = endedAt === undefined ? [] : open.flatMap((call) => (wasCancelled(call) && waitedFor(call, endedAt, 'given up')) || [])
    return [...this.#found, ...waited, ...left]
  }

  /** The timer that led to what the run does now. */
  get fired(): FiredTimer | undefined {
    return this.#fired
  }

  /** A timer fires that the trace does not have. If it was set after a limit fired, its consequences belong to that limit. */
  fire({ delay, due, place, callsBefore, after, limited, trail }: VirtualTimer, isPause: boolean): void {
    const calls = limited === undefined ? openCalls(this.#timers.openCalls, place, callsBefore) : { open: [limited], limited: [limited] }
    this.#fired = after ?? (isPause ? undefined : { delay, due, trail, ...calls })
  }

  /** Something else reached the run. */
  pass(): void {
    if (this.#fired !== undefined) this.lines.end()
    this.#fired = undefined
  }

  /**
   * A call was matched with a recorded step. Either its client would have aborted the recorded call, because the limit is new or was longer
   * when recorded; or it would no longer abort the call, because the limit that ended it is gone.
   */
  meets(call: ReplayCall, step: PlannedStep): void {
    const { limit, at } = call
    // If the agent waits for the answer now, nothing else shows where.
    if (step.settled?.by === 'agent' && this.#isReplay) call.trail ??= captureTrail()
    if (!isSettledByWorld(step)) return
    if (hasReachedLimit(step)) {
      if (limit === undefined && this.#isReplay)
        this.#found.push(goneLimit(call, step, { never: 'given up', site: call.trail ?? captureTrail() }))
      return
    }
    const least = tookAtLeast(step)
    if (limit !== undefined && limit < least && (step.call.limit ?? Infinity) >= least) this.#add({ delay: limit, due: at + limit }, call)
  }

  /** The agent stops a call. Returns whether a limit is the reason. */
  stops(call: ReplayCall): boolean {
    if (this.#fired?.open.includes(call) !== true || !isSettledByWorld(call.planned)) return false
    this.#told.delete(this.#fired)
    this.#tell(this.#fired, call)
    return true
  }

  /** A call was made that the trace does not have. @param isTriedAgain Whether it is a limited call, made again. */
  makesExtra({ after }: ReplayCall, isTriedAgain: (limited: PlannedStep) => boolean): void {
    const limited = after?.limited.find(({ planned }) => planned !== undefined && isTriedAgain(planned))
    if (after !== undefined && limited !== undefined) this.#tell(after, limited)
  }

  /** A call was made before this step had settled, unlike in the recording. */
  precedes({ after }: ReplayCall, step: PlannedStep | undefined): void {
    const call = after?.open.find(({ planned }) => planned === step)
    if (after !== undefined && call !== undefined) this.#tell(after, call)
  }

  /** The agent returned or threw. */
  ends(endPlace: number): void {
    if (this.#fired === undefined) return
    const call = this.#fired.limited.find(({ state, planned }) => state === 'open' && (planned?.settledPlace ?? Infinity) < endPlace)
    if (call !== undefined) this.#tell(this.#fired, call)
  }

  /** For a late call that was not made: the timer that would have come after the watch, if one is still running. */
  afterWatch({ place }: PlannedStep, { endPlace, until, end }: Plan): { readonly received?: unknown; readonly site?: Trail } {
    const timer = place < endPlace ? undefined : this.#timers.firstAfter(until)
    if (timer === undefined) return {}
    const received = { timer: timer.delay, watched: Math.round(until - (end?.at ?? 0)) }
    return { received, ...(timer.trail && { site: timer.trail }) }
  }

  /** The first call shows what a limit was for, but a signal may be shared by several calls. */
  #tell(fired: FiredTimer, call: ReplayCall): void {
    if (this.#told.has(fired)) return
    this.#told.add(fired)
    this.#add(fired, call)
  }

  /** @note The line of a limit is where it was set. If a client sets it, the line is that of the call. */
  #add({ delay, due, trail: set }: LimitSet, { planned, boundary, name, at, trail }: ReplayCall): void {
    if (!isSettledByWorld(planned) || this.#found.some(({ place }) => place === planned.place)) return
    const site = set !== undefined && isOfAgent(siteOf(set)) ? set : (trail ?? captureTrail())
    const divergence = makeDivergence('time-limit', {
      step: planned.call.step,
      position: 'at',
      boundary,
      name,
      expected: { took: planned.settled.at - planned.call.at },
      // A limit set behind work of the run may have been over before the call, by the replay's clock.
      received: { limit: delay, after: Math.max(0, Math.round((due - at) * 1000) / 1000) },
      site,
    })
    this.#found.push({ place: planned.place, divergence })
    if (this.#isReplay) this.lines.seek(divergence, site)
  }
}

/** A limit that ran out, and where it was set, if that is known. */
type LimitSet = Pick<FiredTimer, 'delay' | 'due'> & Partial<Pick<FiredTimer, 'trail'>>

/**
 * Whether the recorded run cancelled a call by a signal before its answer began. A call that ends later may have been ended by its client,
 * after the answer was dropped and collected. A call that ends otherwise may have been ended by a socket's own limit.
 */
function wasCancelled({ planned, boundary }: ReplayCall): boolean {
  const settled = planned?.settled
  if (boundary !== 'http' && boundary !== 'model') return false
  return settled?.kind === 'throw' && planned?.completions.length === 0 && isAbort(settled.error.name)
}

/** Whether this is the name of a signal's error. */
function isAbort(name: string): boolean {
  return name === 'AbortError' || name === 'TimeoutError'
}

/** A finding for a call that the recorded run had aborted by a place in the trace, and the agent has not. */
function waitedFor(call: ReplayCall, place: number, never: Gone['never']): Finding | undefined {
  const { planned } = call
  if (planned?.settled?.by !== 'agent' || (planned.settledPlace ?? Infinity) > place) return undefined
  return goneLimit(call, planned as SettledStep, { never, site: call.trail })
}

/** A finding for a call that was aborted in the recording. */
function goneLimit({ boundary, name }: ReplayCall, { call, settled, place }: SettledStep, { never, site }: Gone): Finding {
  const { step, at } = call
  const expected = { gaveUp: settled.at - at }
  return { place, divergence: makeDivergence('time-limit', { step, position: 'at', boundary, name, expected, received: { never }, site }) }
}

/** What no longer happens to a call, and where the call is made. */
interface Gone {
  readonly never: 'answered' | 'given up'
  readonly site: ReplayCall['trail']
}

/** Whether a recorded call failed once its client's limit was over. */
function hasReachedLimit(step: SettledStep): boolean {
  const { limit = Infinity } = step.call
  return step.settled.kind === 'throw' && step.settled.at - step.call.at >= limit - tolerance
}

function tookAtLeast({ call, settled }: SettledStep): number {
  return settled.at - call.at - tolerance
}

/**
 * The open calls, and those that a timer may have been set for: the last call made right before the timer, else those after it, else the
 * last call before it.
 */
function openCalls(open: readonly ReplayCall[], place: number, callsBefore: number): Pick<FiredTimer, 'open' | 'limited'> {
  const before = open.findLast(({ number }) => number <= callsBefore)
  const after = open.filter(({ number }) => number > callsBefore)
  if (before === undefined || (before.madeAt !== place && after.length > 0)) return { open, limited: after }
  return { open, limited: [before, ...after] }
}

function isSettledByWorld(step: PlannedStep | undefined): step is SettledStep {
  return step?.settled !== undefined && step.settled.by !== 'agent'
}

type SettledStep = PlannedStep & Required<Pick<PlannedStep, 'settled'>>
