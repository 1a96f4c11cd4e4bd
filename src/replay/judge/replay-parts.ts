import type { CallRow } from '../../trace/rows.ts'
import type { Delivery } from '../calls/replay-call.ts'
import type { Plan } from '../calls/plan.ts'
import { ReplayCalls } from '../calls/replay-calls.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import type { ReplaySettings } from '../contract/replay-options.ts'
import type { Conducted } from '../engine/conducted.ts'
import { Conductor } from '../engine/conductor.ts'
import { type Progress, VirtualTimers } from '../engine/virtual-timers.ts'
import { CallJudge } from './call-judge.ts'
import type { RunDraws } from './draws/run-draws.ts'
import { Findings } from './findings.ts'
import type { IncidentWatch } from './incident/incident-watch.ts'
import { TimeLimits } from './time-limits.ts'

/** A run that is held against a trace: an agent's, or another recorded one. */
export interface HeldRun extends Conducted {
  /** How many ticks it has seen itself. */
  readonly seenTicks: number
  /** It has work of its own under way until the release is called. */
  busy(): () => void
}

/** What a run is held against, and how strictly. */
export interface Held {
  /** The calls of the trace. */
  readonly recorded: Iterable<Pick<CallRow, 'step'>>
  readonly plan: Plan
  readonly settings: ReplaySettings
  readonly redaction: ReplayRedaction
  /** Gives what the run draws from clock and chance, and what was recorded of that. */
  drawsOf(progress: Progress): RunDraws
  /** Of the golden of an incident: what must not happen again. */
  readonly incident?: IncidentWatch | undefined
  /** Whether the trace of a replay tells of the run, where answers come later than they did and nothing says which calls had just been made. Default: no. */
  readonly isReplayed?: boolean
  /** Whether timers that fire may be time limits on its calls. Default: yes; how long a recorded run would have waited nobody knows. */
  readonly hasLimits?: boolean
  /** After so many refusals calls no longer settle. Default: 50. */
  readonly refusalLimit?: number
  /** Puts something before what settles a step of the run. Default: nothing. */
  readonly follow?: (delivery: Delivery) => Delivery
}

/** The parts that hold one run against one trace: its calls and timers, the conductor that answers them in order, the judge, and what was found. */
export class ReplayParts {
  readonly calls: ReplayCalls
  readonly timers: VirtualTimers
  readonly conductor: Conductor
  readonly draws: RunDraws
  readonly findings: Findings
  readonly judge: CallJudge

  constructor(
    run: HeldRun,
    { recorded, plan, settings, redaction, drawsOf, incident, isReplayed = false, hasLimits = true, refusalLimit, follow }: Held,
  ) {
    const progress: Progress = {
      tick: () => this.conductor.tick,
      place: () => this.conductor.place,
      now: () => this.conductor.now,
      seen: () => run.seenTicks,
      calls: () => (hasLimits ? this.calls.all : []),
      after: () => (hasLimits ? this.findings.limits.fired : undefined),
      finished: () => run.finished,
      recordedOwner: (owner) => this.calls.recordedOwner(owner),
    }
    this.calls = new ReplayCalls(recorded, progress, follow)
    this.timers = new VirtualTimers(progress)
    this.draws = drawsOf(progress)
    const limits = new TimeLimits(this.timers)
    this.conductor = new Conductor(plan, this.timers, limits, run)
    this.findings = new Findings({ plan, conductor: this.conductor, settings, redaction, draws: this.draws, limits, isReplayed })
    const { conductor, findings, draws } = this
    this.judge = new CallJudge({ plan, conductor, findings, settings, redaction, draws, busy: () => run.busy(), incident, refusalLimit })
  }
}
