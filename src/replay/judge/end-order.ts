import { captureTrail } from '../../run/call-site.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import { type Plan, type PlannedStep, type PlannedTick, isOwnDoing } from '../calls/plan.ts'
import { type Finding, makeDivergence } from './finding.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/**
 * Checks the end of a replay against what the recorded run waited for. An agent that now ends before its last answer leaves the call
 * behind, and its result is lost if the process stops. An agent that now waits for a call that outlived the recorded run ends later, and
 * fails with it.
 */
export class EndOrder {
  readonly found: Finding[] = []
  readonly #place: number
  readonly #ticks: readonly PlannedTick[]
  readonly #last: PlannedStep | undefined
  readonly #answeredAt: number
  #call: ReplayCall | undefined
  /** Calls that the recorded run did not wait for, by step. */
  readonly #late = new Map<number, ReplayCall>()

  constructor({ ticks, endPlace, steps }: Plan) {
    this.#place = endPlace
    this.#ticks = ticks
    this.#last = lastAnswered(ticks.findLast(({ place }) => place < endPlace)?.rows ?? [], steps)
    const [answer] = this.#last?.completions ?? []
    this.#answeredAt = ticks.find(({ rows }) => answer !== undefined && rows.includes(answer))?.place ?? -1
  }

  /** A call turned out to be a recorded step. Its call site has to be captured now, because later it is unknown. */
  made(call: ReplayCall, step: PlannedStep): void {
    const isLeftBehind = (step.settledPlace ?? Infinity) > this.#place
    if (!isLeftBehind && step !== this.#last) return
    call.trail ??= captureTrail()
    if (isLeftBehind) this.#late.set(step.call.step, call)
    else this.#call = call
  }

  /**
   * The agent returned or threw.
   *
   * @param place The progress of the replay: the place in the trace of the last completion released.
   */
  reach(place: number): void {
    if (this.#call?.state === 'open' && place < this.#answeredAt) this.#find(this.#call, 'before')
    if (place <= this.#place) return
    const [row] = this.#ticks.find((tick) => tick.place === place)?.rows ?? []
    const call = row !== undefined && 'step' in row && !isOwnDoing(row) ? this.#late.get(row.step) : undefined
    if (call !== undefined) this.#find(call, 'after')
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

/** The step of the run's own code whose answer the recorded run ended with, unless the answer may have arrived independently of the end. */
function lastAnswered(rows: readonly CompletionRow[], steps: Plan['steps']): PlannedStep | undefined {
  const last = rows.at(-1)
  if (last === undefined || !('step' in last) || isOwnDoing(last)) return undefined
  const step = steps.get(last.step)
  const isAlone = rows.every((row) => 'step' in row && row.step === last.step)
  return isAlone && step?.call.owner === 0 && step.mayBeInTurn !== true ? step : undefined
}
