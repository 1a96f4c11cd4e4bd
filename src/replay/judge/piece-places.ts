import type { Plan, PlannedStep } from '../calls/plan.ts'
import type { PlannedPieces } from '../calls/planned-pieces.ts'
import { CheckpointPlaces, type Excuse, type Now, type SeenCalls } from './checkpoint-places.ts'
import { type Finding, makeDivergence } from './finding.ts'

/** A run that hands out pieces. */
interface GivingRun {
  readonly calls: SeenCalls
  readonly findings: { readonly order: Now; readonly stop: unknown; readonly isFork: boolean }
  readonly log: { hands(part: string): void }
}

/**
 * The places of the pieces that a run hands out, compared as those of checkpoints are: which steps of the run had settled. Of the pieces that were
 * recorded at one place, the first must not come before what it followed, and the last not behind what followed it.
 */
export class PiecePlaces {
  readonly #plan: Pick<Plan, 'ticks' | 'pieces'>
  readonly #counts = new Map<string, number>()
  readonly #firsts: CheckpointPlaces<PlannedPieces>
  readonly #lasts: CheckpointPlaces<PlannedPieces>

  constructor(plan: Pick<Plan, 'steps' | 'ticks' | 'pieces'>) {
    this.#plan = plan
    this.#firsts = new CheckpointPlaces(plan, (step, reached, was) => !was || this.#isOfAnswer(step, reached, was))
    this.#lasts = new CheckpointPlaces(plan, (step, reached, was) => was || this.#isOfAnswer(step, reached, was))
  }

  /** The run gave a piece. */
  hands(part: string, { calls, findings, log }: GivingRun): void {
    log.hands(part)
    if (this.#plan.pieces.length === 0 || findings.stop !== undefined || findings.isFork) return
    const count = (this.#counts.get(part) ?? 0) + 1
    this.#counts.set(part, count)
    const isHere = (end: 'first' | 'last') => (each: PlannedPieces) => each[end] === count && each.row.name === part
    const [first, last] = [this.#plan.pieces.find(isHere('first')), this.#plan.pieces.find(isHere('last'))]
    if (first !== undefined) this.#firsts.reach(first, calls, findings.order, [])
    if (last !== undefined) this.#lasts.reach(last, calls, findings.order, [])
  }

  /** The pieces that have moved. @param stepBefore The last step that was called before a place in the trace. */
  findings(stepBefore: (place: number) => number): Finding[] {
    const found = [
      ...this.#firsts.moved().map((each) => ({ ...each, end: 'first' }) as const),
      ...this.#lasts.moved().map((each) => ({ ...each, end: 'last' }) as const),
    ]
    return found.map(({ place, after, difference, recorded, end }) => {
      const { expected, received } = difference
      const name = `piece ${recorded[end]}${recorded.row.name === '' ? '' : ` of ${recorded.row.name}`}`
      const fields = { step: stepBefore(after), position: 'after', name, differences: [difference], expected, received } as const
      return { place, divergence: makeDivergence('outcome', fields) }
    })
  }

  /** Whether the step's answer was arriving at the piece, which may be made of it: whether its end comes before or after that is speed. */
  readonly #isOfAnswer: Excuse<PlannedPieces> = (step: PlannedStep, { recorded, moment }, was) => {
    const [begin] = step.completions
    const begins = begin && this.#plan.ticks.find(({ rows }) => rows.includes(begin))?.ordinal
    return begins !== undefined && begins <= (was ? moment.last.ordinal : recorded.tick)
  }
}
