import { runBelow, type Scope } from '../../run/scope.ts'
import type { CallRow } from '../../trace/rows.ts'
import type { DeliveryLog } from '../calls/replay-call.ts'
import type { JudgeParts } from './judge-parts.ts'
import { ReplayCalls } from '../calls/replay-calls.ts'
import type { Plan } from '../calls/plan.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import type { Conducted } from '../engine/conducted.ts'
import { Conductor } from '../engine/conductor.ts'
import { type Progress, VirtualTimers } from '../engine/virtual-timers.ts'
import { CallJudge } from './call-judge.ts'
import { CredentialCheck } from './credential-check.ts'
import type { RouterContext } from './call-router.ts'
import type { RunDraws } from './draws/run-draws.ts'
import type { JudgedBy } from './finding.ts'
import { Findings } from './findings.ts'
import { TimeLimits } from './time-limits.ts'

/** A run that is compared with a trace: an agent's, or another recorded one. */
export interface HeldRun extends Conducted {
  /** How many ticks the run itself has seen. */
  seenTicks(): number
  /** Marks the run as doing its own work until the release is called. */
  busy(): () => void
}

/** The recording that a run is compared with, and the rules. */
export interface Held extends Omit<JudgedBy, 'draws' | 'credentials'>, Pick<JudgeParts, 'incident' | 'refusalLimit' | 'changeable'> {
  /** The calls of the trace. */
  readonly recorded: Iterable<Pick<CallRow, 'step'>>
  /** Returns the draws of the run and the recorded ones. */
  drawsOf(progress: Progress): RunDraws
  /** The run's scope for code below its boundaries. A fork may call the world from it. */
  readonly scope?: Scope
  /**
   * Whether the run comes from the trace of a replay, where answers come later than recorded and the ages of calls are unknown. Default: no.
   */
  readonly isReplayed?: boolean
  /**
   * Whether timers that fire may be time limits on the run's calls. Default: yes. How long a recorded run would have waited is unknown.
   */
  readonly hasLimits?: boolean
  /** Notified of everything that reaches the steps of the run. Default: none. */
  readonly log?: DeliveryLog
}

/**
 * The parts that compare one run with one trace: its calls and timers, the conductor that answers them in order, the judge, and the
 * findings.
 */
export class ReplayParts {
  readonly calls: ReplayCalls
  readonly timers: VirtualTimers
  readonly conductor: Conductor
  readonly draws: RunDraws
  readonly credentials: CredentialCheck
  readonly findings: Findings
  readonly judge: CallJudge

  constructor(run: HeldRun, held: Held) {
    const { plan, settings, redaction, incident, refusalLimit, changeable, isReplayed = false, hasLimits = true } = held
    const progress: Progress = {
      tick: () => this.conductor.last.ordinal,
      place: () => this.conductor.last.place,
      now: () => this.conductor.now,
      shift: () => this.conductor.shift(),
      seen: () => run.seenTicks(),
      calls: () => (hasLimits ? this.calls.all : []),
      after: () => (hasLimits ? this.findings.limits.fired : undefined),
      chain: () => this.conductor.newTimers.chain,
      behindWork: () => run.behindWork(),
      finished: () => run.finished,
      recordedOwner: (owner) => this.calls.recordedOwner(owner),
      mayBeTold: hasLimits ? timersToTell(plan) : () => false,
    }
    this.calls = new ReplayCalls(held.recorded, progress, held.log, (call) => redaction.learnFrom(call))
    this.timers = new VirtualTimers(progress)
    this.draws = held.drawsOf(progress)
    const limits = new TimeLimits(this.timers, hasLimits)
    this.conductor = new Conductor(plan, this.timers, limits, run)
    this.credentials = new CredentialCheck(redaction, settings.rules)
    const { conductor, draws, credentials } = this
    this.findings = new Findings({ plan, conductor, settings, redaction, draws, credentials, limits, isReplayed })
    const { findings } = this
    const busy = (): (() => void) => run.busy()
    const router = settings.router?.(this.#contextFor(redaction, busy, held.scope))
    const judged = { plan, settings, redaction, draws, credentials }
    this.judge = new CallJudge({ ...judged, conductor, findings, busy, incident, refusalLimit, changeable, router })
  }

  #contextFor(redaction: ReplayRedaction, busy: () => () => void, scope: Scope | undefined): RouterContext {
    const now = (): number => this.conductor.now
    return {
      get now() {
        return now()
      },
      redaction,
      drawn: this.draws.replayed,
      busy,
      live: (body) => (scope === undefined ? body() : runBelow(scope, { live: 'a fork' }, body)),
      schedule: (due, deliver) => {
        this.conductor.answers.add(due, deliver)
        this.conductor.wake()
      },
      takeUntil: (moment) => this.conductor.takeUntil(moment),
      runClock: () => this.conductor.answers.runClock(),
      refuse: (call, reason) => this.judge.refuseRouted(call, reason),
    }
  }
}

/** Which timers a verdict may have to name, by when they are due and their delays. */
function timersToTell({ ticks, until }: Plan): Progress['mayBeTold'] {
  const last = ticks.at(-1)?.rows.at(-1)?.at ?? 0
  let delays: ReadonlySet<number> | undefined
  return (due, delay) => {
    if (due > last && due <= until) return false
    delays ??= new Set(ticks.flatMap(({ rows }) => rows.flatMap((row) => (row.kind === 'timer' ? [row.delay] : []))))
    return !delays.has(delay)
  }
}
