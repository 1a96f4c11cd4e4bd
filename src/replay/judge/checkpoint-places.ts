import type { FieldDifference } from '../../divergence/divergence.ts'
import { areOfSeveral } from '../engine/tick-sources.ts'
import type { MadeStep } from './at-once-order.ts'
import type { CallOrder, Moment } from './call-order.ts'
import { areTogether, mayRaceWork, type Point, type SeenRun } from './follows-on.ts'
import { type Finding, makeDivergence } from './finding.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplayCalls } from '../calls/replay-calls.ts'
import type { Plan, PlannedCheckpoint, PlannedStep } from '../calls/plan.ts'
import type { CheckpointRow } from '../../trace/rows.ts'

/** The calls of a run so far, in the order in which they were made and in the order in which they settled. */
export type SeenCalls = Pick<ReplayCalls, 'all' | 'settled'>

/** The position of a replay. */
export type Now = Pick<CallOrder, 'now' | 'seen'>

/** Something of the recorded run that has a place among its calls: a checkpoint, a piece that it handed out. */
export type Placed = Pick<PlannedCheckpoint, 'place' | 'turn'> & { readonly row: Pick<CheckpointRow, 'owner' | 'name'> }

/** A further reason why a step may have settled on the other side of something. @param was Whether it had settled before it in the recording. */
export type Excuse<One> = (step: PlannedStep, reached: { readonly recorded: One; readonly moment: Moment }, was: boolean) => boolean

/** A checkpoint that moved relative to steps. */
export interface MovedCheckpoint<One extends Placed = PlannedCheckpoint> {
  readonly recorded: One
  /** Where the difference begins, and after which calls: places in the trace. */
  readonly place: number
  readonly after: number
  readonly difference: FieldDifference
}

/** A recorded checkpoint that was reached, and how many calls had been made and had settled by then. */
interface Reached<One extends Placed> {
  readonly recorded: One
  readonly calls: SeenCalls
  readonly moment: Moment
  readonly run: SeenRun
  readonly made: number
  readonly settled: number
  /** Steps that had been made by then, but were recorded after it. */
  readonly ahead: readonly PlannedStep[]
}

/**
 * The positions of checkpoints: which steps of their owner had settled, and which were made only after them. Only steps that settled in both runs
 * count. A step whose function runs in the replay settles at its own time, so it counts only if it was not in progress at the checkpoint.
 */
export class CheckpointPlaces<One extends Placed = PlannedCheckpoint> {
  readonly #steps: ReadonlyMap<number, readonly PlannedStep[]>
  readonly #reached: Reached<One>[] = []
  readonly #isExcused: Excuse<One>

  /** @param isExcused Default: never. */
  constructor({ steps }: Pick<Plan, 'steps'>, isExcused: Excuse<One> = () => false) {
    this.#isExcused = isExcused
    this.#steps = Map.groupBy(steps.values(), ({ call }) => call.owner)
  }

  /** A recorded checkpoint was reached, with the recorded state. */
  reach(recorded: One, calls: SeenCalls, { now: moment, seen: run }: Now, overtakers: readonly MadeStep[]): void {
    const ahead = overtakers.flatMap(({ step }) => (step.call.owner === recorded.row.owner ? [step] : []))
    this.#reached.push({ recorded, calls, moment, run, made: calls.all.length, settled: calls.settled.length, ahead })
  }

  /**
   * The checkpoints that have moved so far.
   *
   * @param stepBefore The last step that was called before a place in the trace.
   */
  findings(stepBefore: (place: number) => number): Finding[] {
    return this.moved().map(({ place, after, recorded: { row }, difference }) => {
      const { expected, received } = difference
      const fields = { step: stepBefore(after), position: 'after', name: row.name, differences: [difference], expected, received } as const
      return { place, divergence: makeDivergence('checkpoint', fields) }
    })
  }

  /** The same, with their rows. */
  moved(): MovedCheckpoint<One>[] {
    const indexes = new Map<PlannedStep, number>()
    for (const [index, { planned }] of (this.#reached[0]?.calls.settled ?? []).entries()) if (planned) indexes.set(planned, index)
    return this.#reached.flatMap((reached) => this.#compare(reached, indexes) ?? [])
  }

  #compare(reached: Reached<One>, indexes: ReadonlyMap<PlannedStep, number>): MovedCheckpoint<One> | undefined {
    const { recorded, calls, made, settled } = reached
    const behind: PlannedStep[] = []
    const before: PlannedStep[] = []
    for (const step of this.#steps.get(recorded.row.owner) ?? []) {
      const index = indexes.get(step)
      const call = calls.settled[index ?? -1]
      if (index === undefined || call === undefined || step.settledPlace === undefined) continue
      const [was, is] = [step.settledPlace < recorded.place, index < settled]
      const wasUnderWay = was ? call.number <= made : step.place < recorded.place
      if (was === is || (call.runs && wasUnderWay) || this.#isExcused(step, reached, was)) continue
      if (is) {
        if (!mayRaceWork(pointOf(reached), call, reached.run)) behind.push(step)
      } else if (!races(step, call, reached)) before.push(step)
    }
    const ahead = reached.ahead.filter((step) => !behind.includes(step))
    if (behind.length + before.length + ahead.length === 0) return undefined
    const isMade = (step: PlannedStep): boolean => (calls.settled[indexes.get(step) ?? -1]?.number ?? Infinity) <= made
    const places = before.map((step) => (isMade(step) ? (step.settledPlace ?? Infinity) : step.place) - 0.5)
    return {
      recorded,
      place: Math.min(recorded.place, ...places),
      after: Math.min(recorded.place, ...before.map((step) => step.place - 0.5)),
      difference: {
        path: 'place',
        expected: placeOf([
          ['after', before, 'settled'],
          ['before', behind, 'settled'],
          ['before', ahead, madeOf(ahead)],
        ]),
        received: placeOf([
          ['after', behind, 'settled'],
          ['before', before, 'settled'],
          ['after', ahead, madeOf(ahead)],
        ]),
      },
    }
  }
}

/**
 * Whether a checkpoint that was recorded after a step's answer, and now comes before it, may have followed from something else: from the
 * run's own work, whose speed depends on the machine, or from another event in the same turn of the event loop, where the number of
 * microtasks in between is not an order to enforce.
 */
function races(step: PlannedStep, call: ReplayCall, reached: Reached<Placed>): boolean {
  const { recorded, made, moment, run } = reached
  if (call.number > made && mayRaceWork(call, pointOf(reached), run)) return true
  if (moment.behindWork !== undefined && !areTogether(pointOf(reached), call)) return true
  if (call.number > made) return step.settledTurn === recorded.turn && call.madeAt !== moment.last.place
  if (step.mayBeInTurn === true && !moment.young.has(call)) return true
  return step.settledTurn === moment.last.turn && (call.madeAt < moment.last.place || areOfSeveral(moment.last.rows))
}

function pointOf({ made, moment: { last, behindWork } }: Reached<Placed>): Point {
  return { number: made + 0.5, madeAt: last.place, behindWork }
}

/** In words: `after step 2 settled, before step 3 settled`. */
function placeOf(parts: readonly (readonly [side: 'after' | 'before', steps: readonly PlannedStep[], did: string])[]): string {
  const found = parts.filter(([, steps]) => steps.length > 0)
  return found.map(([side, steps, did]) => `${side} ${listSteps(steps.map(({ call }) => call.step))} ${did}`).join(', ')
}

function madeOf({ length }: readonly PlannedStep[]): string {
  return length === 1 ? 'was made' : 'were made'
}

function listSteps(steps: readonly number[]): string {
  return steps.length === 1 ? `step ${steps.join('')}` : `steps ${steps.slice(0, -1).join(', ')} and ${steps.at(-1)}`
}
