import { captureTrail } from '../../run/call-site.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import { isOwnDoing } from '../calls/completions.ts'
import type { Plan, PlannedStep, PlannedTick } from '../calls/plan.ts'
import { type Finding, makeDivergence } from './finding.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/**
 * Checks whether a replay ends at the point that the recorded run waited for. An agent that now ends before its last answer leaves the call
 * behind, and the call's result is lost if the process stops. An agent that now waits for a call that outlived the recorded run ends later,
 * and fails if the call fails.
 */
export class EndOrder {
  readonly found: Finding[] = []
  readonly #place: number
  readonly #ticks: readonly PlannedTick[]
  /** The steps whose answers came last, all together, with the place of the first part of each answer. */
  readonly #last: ReadonlyMap<PlannedStep, number>
  readonly #waited = new Map<PlannedStep, ReplayCall>()
  /** Calls that the recorded run did not wait for, by step. */
  readonly #late = new Map<number, ReplayCall>()

  constructor({ ticks, endPlace, steps }: Plan) {
    this.#place = endPlace
    this.#ticks = ticks
    const last = lastAnswered(ticks.findLast(({ place }) => place < endPlace)?.rows ?? [], steps)
    this.#last = new Map(last.map((step) => [step, ticks.find(({ rows }) => rows.some((row) => row === step.completions[0]))?.place ?? -1]))
  }

  /** A call was matched with a recorded step. Its call site has to be captured now, because it is unknown later. */
  made(call: ReplayCall, step: PlannedStep): void {
    const isLeftBehind = (step.settledPlace ?? Infinity) > this.#place
    if (!isLeftBehind && !this.#last.has(step)) return
    call.trail ??= captureTrail()
    if (isLeftBehind) this.#late.set(step.call.step, call)
    else this.#waited.set(step, call)
  }

  /**
   * The agent returned or threw.
   *
   * @param place The progress of the replay: the place in the trace of the last completion released.
   */
  reach(place: number): void {
    const left = [...this.#last].map(([step, answeredAt]) => (place < answeredAt ? this.#waited.get(step) : undefined))
    const call = left.every((each) => each?.state === 'open') ? left.at(-1) : undefined
    if (call !== undefined) this.#find(call, 'before')
    if (place <= this.#place) return
    const [row] = this.#ticks.find((tick) => tick.place === place)?.rows ?? []
    const late = row !== undefined && 'step' in row && !isOwnDoing(row) ? this.#late.get(row.step) : undefined
    if (late !== undefined) this.#find(late, 'after')
  }

  #find({ planned, boundary, name, trail }: ReplayCall, ends: 'before' | 'after'): void {
    const fields = { step: planned?.call.step ?? 0, position: 'at', boundary, name, site: trail } as const
    const recorded = ends === 'before' ? 'after' : 'before'
    this.found.push({
      place: this.#place,
      divergence: makeDivergence('order', { ...fields, expected: { ends: recorded }, received: { ends } }),
    })
  }
}

/**
 * The steps of the run's own code whose answers ended the recorded run: it waited for at least one of them. Empty if one of them may have
 * come independently of the end.
 */
function lastAnswered(rows: readonly CompletionRow[], steps: Plan['steps']): PlannedStep[] {
  const answered = new Set<PlannedStep>()
  for (const row of rows) {
    const step = 'step' in row && !isOwnDoing(row) ? steps.get(row.step) : undefined
    if (step === undefined || step.call.owner !== 0 || step.mayBeInTurn === true) return []
    answered.add(step)
  }
  return [...answered]
}
