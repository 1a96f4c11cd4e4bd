import type {
  CallRow,
  CheckpointRow,
  CompletionRow,
  EndRow,
  HttpInput,
  ReadsRow,
  ReturnRow,
  Row,
  SignalRow,
  ThrowRow,
  TimerRow,
} from '../../trace/rows.ts'
import { withoutStandInNumbers } from '../../divergence/stand-ins.ts'
import { mayWrite } from '../../trace/reading-requests.ts'
import type { Trace } from '../../trace/trace.ts'
import { isOwnDoing } from './completions.ts'

/** A recorded step, as the replay expects it. */
export interface PlannedStep {
  readonly call: CallRow
  /** Where its call stands in the trace: an index into the rows. */
  readonly place: number
  /** In which turn of the event loop the last completion before it came about. */
  readonly calledTurn: number
  /** What reached the run of it, in order. */
  readonly completions: CompletionRow[]
  /** How it settled; absent when it was in flight at the end. */
  settled?: ReturnRow | ThrowRow
  /** Where its settling stands in the trace, and in which tick and turn of the event loop it came about. */
  settledPlace?: number
  settledTick?: number
  settledTurn?: number
  /**
   * Whether it may have settled without the event loop turning since its call. What was called after that may have waited for it, or may have come
   * of a chain of microtasks beside it.
   */
  mayBeInTurn?: boolean
  /** The timer whose firing was the last that the run saw before the call, and the tick in which the pauses began that it ended. */
  readonly calledBy?: { readonly timer: TimerRow; readonly since: number }
}

/** What the run saw at once: completions between which no microtask ran. */
export interface PlannedTick {
  /** Its number among all ticks of the trace, 1 for the first: what timers are known by. */
  readonly ordinal: number
  /** The turn of the event loop it came about in, 1 for the first. */
  readonly turn: number
  readonly place: number
  readonly rows: CompletionRow[]
  /** The steps that were called since the tick before, and the checkpoints that were reached. */
  readonly requires: readonly Requirement[]
}

/** What a replay has to do before the next tick: make a step's call, reach a checkpoint. */
export type Requirement = number | CheckpointRow

/** A recorded read, with the tick that it was made in. */
export interface PlannedReads {
  readonly tick: number
  readonly row: ReadsRow
  /** How many steps had been called by then. */
  readonly calls: number
  /** Whether its owner's body runs in the replay. Of one that does not, only the time that its reads passed counts. */
  readonly isAnswered: boolean
}

/** A checkpoint, with its place and the turn of the event loop in which the last completion before it came about. */
export interface PlannedCheckpoint {
  readonly place: number
  readonly turn: number
  readonly row: CheckpointRow
}

/** A trace as the conductor goes through it. */
export interface Plan {
  readonly steps: ReadonlyMap<number, PlannedStep>
  /** Steps whose function runs in the replay, and 0, the run itself. */
  readonly bodies: ReadonlySet<number>
  /** The same, in order, by what a call of theirs has to have in common with them. */
  readonly groups: ReadonlyMap<string, readonly PlannedStep[]>
  /** What had reached the run when it began. */
  readonly before: readonly SignalRow[]
  readonly ticks: readonly PlannedTick[]
  /** Steps that were called after the last tick, and checkpoints that were reached. */
  readonly requiredAtEnd: readonly Requirement[]
  readonly reads: readonly PlannedReads[]
  readonly checkpoints: readonly PlannedCheckpoint[]
  readonly end?: EndRow
  /** The place of the `end` row, or behind the last row. */
  readonly endPlace: number
  /** Until when what the run left behind is replayed, in virtual milliseconds since the run started. */
  readonly until: number
  /** Whether the recorder watched until then, so that what came after the end is known. */
  readonly isWatched: boolean
}

/** What a call has to have in common with a step to be it: owner, boundary and name, whose stand-ins are variables. */
export function groupOf({ owner, boundary, name }: Pick<CallRow, 'owner' | 'boundary' | 'name'>): string {
  return `${owner} ${boundary} ${withoutStandInNumbers(name)}`
}

/** Whether two names are the same, but for which secrets their stand-ins stand for. */
export function isNamed(recorded: string, live: string): boolean {
  return recorded === live || withoutStandInNumbers(recorded) === withoutStandInNumbers(live)
}

/** For how long a run is watched after its end where the trace does not say, in milliseconds. */
const usualWatch = 60_000

/** Most ticks follow on another without a call between them. */
const none: readonly Requirement[] = []

/**
 * Lays a trace out for replay.
 *
 * @param isLeftOut Whether a call may be made any number of times, none included: it belongs to the process more than to the run, or is muted.
 * @param runs Whether the function of a step runs in the replay. What happened in the body of one that does not is nobody's business: its
 *   nested steps, reads, timers and checkpoints are left out.
 */
export function createPlan(trace: Trace, isLeftOut: (call: CallRow) => boolean, runs: (call: CallRow) => boolean): Plan {
  const steps = new Map<number, PlannedStep>()
  const bodies = new Set([0])
  const knowsTurns = trace.header.format > 1
  const ticks: PlannedTick[] = []
  const reads: PlannedReads[] = []
  const checkpoints: PlannedCheckpoint[] = []
  const before: SignalRow[] = []
  /** By ticks that are nothing but the end of a pause: in which one the first of the pauses began that ended one after the other. */
  const pauses = new Map<number, number>()
  let requires: Requirement[] | undefined
  let ordinal = 0
  let turn = 0
  let end: EndRow | undefined

  const complete = (row: CompletionRow, place: number, belongs: boolean): void => {
    if (row.sameTick !== true) ordinal += 1
    if (row.sameTick !== true && row.sameTurn !== true) turn += 1
    // What had come about before the run began is not to be waited for.
    if (ordinal === 0 && row.kind === 'signal') before.push(row)
    if (!belongs || ordinal === 0) return
    const last = ticks.at(-1)
    if (last?.ordinal === ordinal) return void last.rows.push(row)
    const pause = pauseOf(last)
    if (pause !== undefined && last !== undefined) pauses.set(last.ordinal, pauses.get(pause.set) ?? pause.set)
    ticks.push({ ordinal, turn, place, rows: [row], requires: requires ?? none })
    requires = undefined
  }

  for (const [place, row] of trace.rows.entries()) {
    switch (row.kind) {
      case 'call': {
        if (!bodies.has(row.owner) || isLeftOut(row)) break
        const timer = pauseOf(ticks.at(-1))
        const calledBy = timer && { timer, since: pauses.get(timer.set) ?? timer.set }
        steps.set(row.step, { call: row, place, calledTurn: turn, completions: [], ...(calledBy && { calledBy }) })
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
        // A tick that only a running tool's own settling made is none that the conductor releases.
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
      case 'run':
      case 'note':
      case 'closed':
        break
    }
  }
  const endPlace = end === undefined ? trace.rows.length : trace.rows.lastIndexOf(end satisfies Row)
  const groups = Map.groupBy(steps.values(), ({ call }) => groupOf(call))
  const { watchedUntil } = trace
  const departs = trace.header.golden?.expect.replay === 'departs'
  const usual = end === undefined ? 0 : end.at + usualWatch
  // An agent that departs from its recording leaves other work behind than that did, however soon the recorder was closed.
  const until = departs ? Math.max(watchedUntil ?? 0, usual) : (watchedUntil ?? usual)
  const isWatched = watchedUntil !== undefined
  return {
    steps,
    bodies,
    groups,
    before,
    ticks,
    requiredAtEnd: requires ?? none,
    reads,
    checkpoints,
    ...(end && { end }),
    endPlace,
    until,
    isWatched,
  }
}

/** The timer that a tick is the firing of, if it is nothing else. */
function pauseOf(tick: PlannedTick | undefined): TimerRow | undefined {
  const [row, ...others] = tick?.rows ?? []
  return row?.kind === 'timer' && others.length === 0 ? row : undefined
}

/** Whether the run left a step behind that only reads: nothing follows from whether it is made. */
export function isLateRead({ endPlace }: Plan, { place, call: { boundary, effect, input } }: PlannedStep): boolean {
  if (place < endPlace) return false
  return boundary === 'http' ? !mayWrite(input as HttpInput) : effect === 'read'
}
