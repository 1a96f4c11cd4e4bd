import type { KnownStandIns, StandInSides } from '../../divergence/stand-ins.ts'
import { noRules } from '../../divergence/path-rules.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { firstNotBefore } from '../../trace/first-not-before.ts'
import type { CallRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { isSettling } from '../calls/completions.ts'
import { groupOf, type Plan, type PlannedStep } from '../calls/plan.ts'
import { RecordedInput } from '../calls/replayed-input.ts'

/** When a call was made and settled, as places in the rows of its run. */
interface Span {
  readonly place: number
  readonly settledPlace?: number
}

/** A step of `a`, and the call of `b` with an equal input. */
interface EqualPair {
  readonly step: PlannedStep
  readonly call: Span
}

/** The pairs of one owner, boundary and name, in the order of `b`. */
interface EqualPairs {
  readonly all: readonly EqualPair[]
  /** The longest sequence of pairs that is in the same order in both runs. */
  readonly inOrder: readonly EqualPair[]
}

/**
 * Pairs the steps of two recorded runs that have equal inputs, before the runs are walked through. A call of `b` without an equal is not a
 * changed form of a step that a later call equals, nor of a step on the other side of calls that are equal in both runs.
 */
export class EqualSteps {
  readonly #plan: Plan
  readonly #calls: ReadonlyMap<string, readonly CallRow[]>
  readonly #spans = new Map<number, Span>()
  readonly #groups = new Map<string, EqualPairs>()

  readonly #sides: StandInSides

  /** @param sides The stand-ins of both runs. */
  constructor(plan: Plan, { rows }: Trace, sides: StandInSides) {
    this.#plan = plan
    this.#sides = sides
    const calls = rows.filter((row) => row.kind === 'call')
    this.#calls = Map.groupBy(calls, (call) => groupOf(call, sides.live))
    for (const [place, row] of rows.entries()) {
      if (row.kind === 'call') this.#spans.set(row.step, { place })
      else if (isSettling(row)) this.#spans.set(row.step, { place, ...this.#spans.get(row.step), settledPlace: place })
    }
  }

  /** The untaken steps that an unequal call of `b` may be a changed form of. Calls in the body of a tool are not restricted. */
  changeable(call: CallRow, steps: readonly PlannedStep[]): readonly PlannedStep[] {
    const own = this.#spans.get(call.step)
    if (own === undefined || call.owner !== 0) return steps
    const { all, inOrder } = this.#pairsOf(groupOf(call, this.#sides.live))
    const reserved = new Set(all.flatMap((pair) => (pair.call.place > own.place ? [pair.step] : [])))
    let [from, to] = [-1, Infinity]
    for (const { step, call: other } of inOrder) {
      // Overlapping calls have no order.
      if (isBefore(other, own)) from = Math.max(from, step.place)
      if (isBefore(own, other)) to = Math.min(to, step.settledPlace ?? Infinity)
    }
    return steps.filter((step) => !reserved.has(step) && (step.settledPlace ?? Infinity) > from && step.place < to)
  }

  #pairsOf(group: string): EqualPairs {
    return knownOrMade(this.#groups, group, () => {
      const all = this.#pair(this.#plan.groups.get(group) ?? [], this.#calls.get(group) ?? [])
      return { all, inOrder: longestInOrder(all) }
    })
  }

  /** Pairs the first of several equal steps with the first equal call, and so on, as a replay does. */
  #pair(steps: readonly PlannedStep[], calls: readonly CallRow[]): readonly EqualPair[] {
    const { recorded, live } = this.#sides
    const waiting = Map.groupBy(steps, ({ call }) => textOf(call, recorded))
    return calls.flatMap((call): EqualPair[] => {
      const [step, span] = [waiting.get(textOf(call, live))?.shift(), this.#spans.get(call.step)]
      return step === undefined || span === undefined ? [] : [{ step, call: span }]
    })
  }
}

/** A compared input, without stand-ins. */
function textOf(call: CallRow, standIns: KnownStandIns): string {
  return new RecordedInput(call, noRules, standIns).blanked.text
}

function isBefore({ settledPlace = Infinity }: Span, { place }: Span): boolean {
  return settledPlace < place
}

/**
 * The longest subsequence whose steps are in recorded order.
 *
 * @see M. L. Fredman, Discrete Mathematics 11 (1975) 29-35
 */
function longestInOrder(pairs: readonly EqualPair[]): readonly EqualPair[] {
  interface Chain {
    readonly pair: EqualPair
    readonly before: Chain | undefined
  }
  /** By length: the chain whose last step is the earliest. */
  const best: Chain[] = []
  for (const pair of pairs) {
    const length = firstNotBefore(best, (chain) => chain.pair.step.place < pair.step.place)
    best[length] = { pair, before: best[length - 1] }
  }
  const found: EqualPair[] = []
  for (let chain = best.at(-1); chain !== undefined; chain = chain.before) found.push(chain.pair)
  return found
}
