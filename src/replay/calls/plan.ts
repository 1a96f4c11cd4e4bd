import type { RequestEffects } from '../../trace/boundary.ts'
import type {
  CallRow,
  CheckpointRow,
  ClosedRow,
  CompletionRow,
  EndRow,
  ReadsRow,
  ReturnRow,
  Row,
  SignalRow,
  ThrowRow,
  TimerRow,
} from '../../trace/rows.ts'
import { type KnownStandIns, type StandInSides, withoutStandIns } from '../../divergence/stand-ins.ts'
import { standInsOf } from '../../redaction/trace-stand-ins.ts'
import type { Trace } from '../../trace/trace.ts'
import { isOwnDoing } from './completions.ts'
import { type ComparedCall, comparedHeadersOf } from './compared-headers.ts'
import { type PlannedPieces, planPieces } from './planned-pieces.ts'

/** A recorded step in the form that the replay expects. */
export interface PlannedStep {
  readonly call: ComparedCall
  /** The client that made the request, by its `user-agent`, if it said so. */
  readonly client: string | undefined
  /** The place of its call in the trace: an index into the rows. */
  readonly place: number
  /** The turn of the event loop of the last completion before it. */
  readonly calledTurn: number
  /** When the last completion before its call came about, in milliseconds since the run started: the time by which a replay's clock goes. */
  readonly calledAt: number
  /** Its completions, in order. */
  readonly completions: CompletionRow[]
  /** How it settled; absent if it was in flight at the end. */
  settled?: ReturnRow | ThrowRow
  /** The place of its settling in the trace, and its tick and turn of the event loop. */
  settledPlace?: number
  settledTick?: number
  settledTurn?: number
  /**
   * Whether it may have settled without the event loop turning since its call. Later calls may have waited for it, or may follow from an
   * independent chain of microtasks.
   */
  mayBeInTurn?: boolean
  /** The timer that fired last before the call, and the tick in which the pauses that it ended began. */
  readonly calledBy?: { readonly timer: TimerRow; readonly since: number }
}

/** Completions that reached the run together, with no microtask in between. */
export interface PlannedTick {
  /** Its number among all ticks of the trace, from 1. Timers are identified by it. */
  readonly ordinal: number
  /** Its turn of the event loop, from 1. */
  readonly turn: number
  /** How many of the turns that the agent asked for came since the previous tick; undefined if unknown. */
  readonly turns: number | undefined
  readonly place: number
  readonly rows: CompletionRow[]
  /** The steps called and the checkpoints reached since the previous tick. */
  readonly requires: readonly Requirement[]
}

/** What a replay has to do before the next tick: call a step, or reach a checkpoint. */
export type Requirement = number | CheckpointRow

/** A recorded read, with the tick in which it was made. */
export interface PlannedReads {
  readonly tick: number
  readonly row: ReadsRow
  /** How many steps had been called before it. */
  readonly calls: number
  /** Whether its owner's body runs in the replay. If not, only the duration of its reads counts. */
  readonly isAnswered: boolean
}

/** A checkpoint, with its place and the turn of the event loop of the last completion before it. */
export interface PlannedCheckpoint {
  readonly place: number
  readonly turn: number
  readonly row: CheckpointRow
}

/** A trace in the form that the conductor uses. */
export interface Plan {
  readonly steps: ReadonlyMap<number, PlannedStep>
  /** The steps whose function runs in the replay, and 0 for the run itself. */
  readonly bodies: ReadonlySet<number>
  /** The same, in order, by the group that a matching call has to belong to. */
  readonly groups: ReadonlyMap<string, readonly PlannedStep[]>
  /** When it starts, in virtual milliseconds since the recorded run started: 0, except for a resumed run. */
  readonly startsAt: number
  /** Signals raised before the run began. */
  readonly before: readonly SignalRow[]
  readonly ticks: readonly PlannedTick[]
  /** The steps called and the checkpoints reached after the last tick. */
  readonly requiredAtEnd: readonly Requirement[]
  readonly reads: readonly PlannedReads[]
  readonly checkpoints: readonly PlannedCheckpoint[]
  /** What the recorded run handed out piece by piece. */
  readonly pieces: readonly PlannedPieces[]
  readonly end?: EndRow
  /** Where the watch of the recorded run ended. */
  readonly closed?: ClosedRow
  /** The place of the `end` row, or the place after the last row. */
  readonly endPlace: number
  /** The end of the replayed time in which work outlives the run, in virtual milliseconds since the run started. */
  readonly until: number
  /** How many turns of the event loop the agent gets after the last tick, if the recorder was closed before the next; undefined for all. */
  readonly turnsBeforeClosed: number | undefined
  /** Whether the recorder watched for that long, so that it is known what happened after the end. */
  readonly isWatched: boolean
  /** The declared effects of requests. */
  readonly effects: RequestEffects | undefined
}

/** A call and a step match only if they share this key: owner, boundary and name, with stand-ins as variables. */
export function groupOf({ owner, boundary, name }: Pick<CallRow, 'owner' | 'boundary' | 'name'>, standIns: KnownStandIns): string {
  return `${owner} ${boundary} ${withoutStandIns(name, standIns)}`
}

/** Whether two names are the same apart from their stand-ins. */
export function isNamed(recorded: string, replayed: string, sides: StandInSides): boolean {
  return recorded === replayed || withoutStandIns(recorded, sides.recorded) === withoutStandIns(replayed, sides.live)
}

/** How long a run is watched after its end if the trace does not say, in milliseconds. */
const usualWatch = 60_000

/** Most ticks follow another one without a call in between. */
const none: readonly Requirement[] = []

/**
 * Prepares a trace for replay.
 *
 * @param isLeftOut Whether a call may be made any number of times, including none, because it belongs to the process rather than the run,
 * or is muted. Default: no call.
 * @param runs Whether the function of a step runs in the replay. Default: every function runs. If it does not run, what happened in its body is ignored: its nested
 * steps, reads, timers and checkpoints are left out.
 */
export function createPlan(
  trace: Trace,
  isLeftOut: (call: CallRow) => boolean = () => false,
  runs: (call: CallRow) => boolean = () => true,
): Plan {
  const steps = new Map<number, PlannedStep>()
  const bodies = new Set([0])
  const knowsTurns = trace.header.format > 1
  const compared = comparedHeadersOf(trace)
  const clients = new Map<string, string>()
  const ticks: PlannedTick[] = []
  const reads: PlannedReads[] = []
  const checkpoints: PlannedCheckpoint[] = []
  const before: SignalRow[] = []
  /** For each tick that only ends a pause: the tick in which the first of the consecutive pauses began. */
  const pauses = new Map<number, number>()
  let requires: Requirement[] | undefined
  let ordinal = 0
  let turn = 0
  let calledAt = trace.header.resumedFrom?.at ?? 0
  let turns: number | undefined
  let turnsBeforeClosed: number | undefined
  let end: EndRow | undefined
  let closed: ClosedRow | undefined

  const complete = (row: CompletionRow, place: number, belongs: boolean): void => {
    if (row.sameTick !== true) ordinal += 1
    if (row.sameTick !== true && row.sameTurn !== true) turn += 1
    if (row.turns !== undefined) turns = (turns ?? 0) + row.turns
    // A replay does not wait for signals from before the run began.
    if (ordinal === 0 && row.kind === 'signal') before.push(row)
    if (!belongs || ordinal === 0) return
    calledAt = Math.max(calledAt, row.at)
    const last = ticks.at(-1)
    if (last?.ordinal === ordinal) return void last.rows.push(row)
    const pause = pauseOf(last)
    if (pause !== undefined && last !== undefined) pauses.set(last.ordinal, pauses.get(pause.set) ?? pause.set)
    ticks.push({ ordinal, turn, turns, place, rows: [row], requires: requires ?? none })
    requires = turns = undefined
  }

  for (const [place, row] of trace.rows.entries()) {
    switch (row.kind) {
      case 'call': {
        if (!bodies.has(row.owner) || isLeftOut(row)) break
        const timer = pauseOf(ticks.at(-1))
        const calledBy = timer && { timer, since: pauses.get(timer.set) ?? timer.set }
        if (row.client !== undefined) clients.set(row.name, row.client)
        steps.set(row.step, {
          call: compared.recorded(row),
          client: clients.get(row.name),
          place,
          calledTurn: turn,
          calledAt,
          completions: [],
          ...(calledBy && { calledBy }),
        })
        requires ??= []
        requires.push(row.step)
        if (runs(row)) bodies.add(row.step)
        break
      }
      case 'head':
      case 'chunk':
      case 'return':
      case 'throw': {
        const step = steps.get(row.step)
        const settles = row.kind === 'return' || row.kind === 'throw'
        if (!isOwnDoing(row)) {
          step?.completions.push(row)
          // A function that runs in the replay settles by itself.
          complete(row, place, step !== undefined && !bodies.has(row.step))
        }
        if (step !== undefined && settles) {
          const { boundary } = step.call
          const isFunction = boundary === 'tool' || boundary === 'external'
          const mayBeInTurn = isFunction && (knowsTurns ? row.inTurn === true : turn - step.calledTurn <= 1)
          Object.assign(step, { settled: row, settledPlace: place, settledTick: ordinal, settledTurn: turn, mayBeInTurn })
        }
        break
      }
      case 'timer':
        complete(row, place, bodies.has(row.owner))
        break
      case 'signal':
        complete(row, place, true)
        break
      case 'reads':
        // If a tick consists only of the settling of a tool that runs, the conductor does not release it.
        reads.push({ tick: ticks.at(-1)?.ordinal ?? 0, row, calls: steps.size, isAnswered: bodies.has(row.owner) })
        break
      case 'checkpoint':
        if (row.by !== undefined || !bodies.has(row.owner)) break
        checkpoints.push({ place, row, turn })
        requires ??= []
        requires.push(row)
        break
      case 'end':
        end = row
        break
      case 'closed':
        closed = row
        turnsBeforeClosed = row.turns === undefined ? undefined : (turns ?? 0) + row.turns
        break
      case 'run':
      case 'note':
      case 'preamble':
      case 'stand-in':
        break
    }
  }
  const endPlace = end === undefined ? trace.rows.length : trace.rows.lastIndexOf(end satisfies Row)
  const standIns = standInsOf(trace)
  const groups = Map.groupBy(steps.values(), ({ call }) => groupOf(call, standIns))
  const { watchedUntil } = trace
  const departs = trace.header.golden?.expect.replay === 'departs'
  const usual = end === undefined ? 0 : end.at + usualWatch
  // An agent that departs from its recording may leave different work behind, however soon the recorder was closed.
  const until = departs ? Math.max(watchedUntil ?? 0, usual) : (watchedUntil ?? usual)
  return {
    steps,
    bodies,
    groups,
    startsAt: trace.header.resumedFrom?.at ?? 0,
    before,
    ticks,
    requiredAtEnd: requires ?? none,
    reads,
    checkpoints,
    pieces: planPieces(trace),
    ...(end && { end }),
    ...(closed && { closed }),
    endPlace,
    until,
    turnsBeforeClosed: departs ? undefined : turnsBeforeClosed,
    isWatched: watchedUntil !== undefined,
    effects: trace.header.effects,
  }
}

/** The timer of a tick that consists of a single firing. */
function pauseOf(tick: PlannedTick | undefined): TimerRow | undefined {
  const [row, ...others] = tick?.rows ?? []
  return row?.kind === 'timer' && others.length === 0 ? row : undefined
}
