import { ReadPacker } from '../../record/keep/read-packer.ts'
import { ReadBuffer } from '../../record/read-buffer.ts'
import { GivenList } from '../../run/handed-out/given-list.ts'
import type { GivenPieces } from '../../trace/given-pieces.ts'
import { omitUndefined } from '../../trace/json.ts'
import { toRecordedError } from '../../trace/recorded-error.ts'
import type { CallRow, CompletionRow, EndRow, InTick, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { DrawnKinds } from '../calls/recorded-draws.ts'
import type { DeliveryLog, ReplayCall } from '../calls/replay-call.ts'
import type { ReplayCheckpoint } from '../calls/replay-calls.ts'
import { type AgentTurns, TurnsSinceTick } from '../../run/agent-turns.ts'
import type { VirtualTimer } from './virtual-timers.ts'

/**
 * A draw, or a row that can be made once the numbers of its step and owner are known, which may be later than the call. It is made lazily,
 * because most replays are never turned into a trace.
 */
type Entry = Draw | ((names: Names) => Row)

/** The names of calls, once all are known. */
export interface Names {
  /** The number of the step that a call is. */
  numberOf(call: ReplayCall): number
  /** The same, by the call's number. */
  ownerOf(call: number): number
  /** The input of a call, and in whose name it was made. */
  requestOf(call: ReplayCall): Pick<CallRow, 'input' | 'credentials' | 'client'>
  /** The input that the agent passed, if the call was edited before it was sent. */
  agentInputOf(call: ReplayCall): unknown
  /** The run's end row, at this time. */
  endAt(at: number): EndRow
}

/** A read of the clock or a random source. */
interface Draw {
  readonly kind: keyof DrawnKinds
  readonly owner: number
  readonly value: DrawnKinds[keyof DrawnKinds]
}

/** The parts of its run that the log reads. */
interface LoggedRun {
  readonly turns: AgentTurns
  /** Its `now` is in virtual milliseconds since the run started. */
  readonly conductor: { readonly now: number }
  /** Whether the replay was stopped: what an agent does after that is not part of the run. */
  readonly stopped: boolean
}

/** What a replay did, in order, from which a trace of it can be created. */
export class ReplayLog implements DeliveryLog {
  readonly startedAt: number
  readonly #run: LoggedRun
  readonly #turns: TurnsSinceTick
  readonly #entries: Entry[] = []
  #ticks = 0
  #made = 0
  #settled = 0
  /** Whether it is known how many calls have settled. Live answers have their rows later. */
  #isCounted = true
  readonly #given = new GivenList()
  #lastIsCompletion = false

  /** @param startedAt The start of the trace, in milliseconds since the epoch. */
  constructor(startedAt: number, run: LoggedRun) {
    this.startedAt = startedAt
    this.#run = run
    this.#turns = new TurnsSinceTick(run.turns)
  }

  /** How many ticks the replay has seen. */
  get ticks(): number {
    return this.#ticks
  }

  called(call: ReplayCall): void {
    this.#made += 1
    this.#add((names) => toCallRow(call, names))
  }

  handed(call: ReplayCall, row: CompletionRow): void {
    const completion = this.#complete(row)
    if (row.kind === 'return' || row.kind === 'throw') this.#settled += 1
    this.#add(({ numberOf }) => ({ ...withoutTick(row), step: numberOf(call), ...completion }) as Row, true)
  }

  settled(call: ReplayCall): void {
    const [settling, completion] = [settlingOf(call), this.#complete()]
    this.#settled += 1
    this.#add(({ numberOf }) => ({ ...settling, step: numberOf(call), ...completion }), true)
  }

  arrived(call: ReplayCall, row: () => CompletionRow): void {
    const completion = this.#complete()
    this.#isCounted = false
    this.#add(({ numberOf }) => ({ ...withoutTick(row()), step: numberOf(call), ...completion }) as Row, true)
  }

  /** Logs a value drawn by the call with this number, and returns it. */
  drew<Kind extends keyof DrawnKinds>(kind: Kind, owner: number, value: DrawnKinds[Kind]): DrawnKinds[Kind] {
    this.#entries.push({ kind, owner, value })
    return value
  }

  checkpoint(checkpoint: ReplayCheckpoint): void {
    this.#add(() => ({ kind: 'checkpoint', ...checkpoint }))
  }

  fired({ owner, set, delay, occurrenceInSet: occurrence }: VirtualTimer): void {
    const row = { kind: 'timer', set, delay, ...(occurrence > 1 && { occurrence }), ...this.#complete() } as const
    this.#add(({ ownerOf }) => ({ ...row, owner: ownerOf(owner) }), true)
  }

  signal(name: string, value: unknown): void {
    const row = { kind: 'signal', name, ...(value === undefined ? {} : { value }), ...this.#complete() } as const
    this.#add(() => row, true)
  }

  /** The run gave a piece of what it hands out. */
  hands(part: string): void {
    this.#given.add(part, { made: this.#made, settled: this.#settled, tick: this.#ticks })
  }

  /** Where the run gave the pieces that it handed out; undefined if there are none, or if that is unknown. */
  get given(): readonly GivenPieces[] | undefined {
    return this.#isCounted ? this.#given.pieces : undefined
  }

  /** The run has settled. */
  ends(): void {
    const at = this.#run.conductor.now
    this.#add(({ endAt }) => endAt(at))
  }

  contact(where: string): void {
    const at = this.#run.conductor.now
    this.#add(() => ({ kind: 'note', what: 'unrecorded-contact', where, at }))
  }

  /** The rows of the replay except the first and the last. */
  rows(names: Names): Row[] {
    const reads = new ReadBuffer()
    const packer = new ReadPacker(this.startedAt)
    const drawn = (): Row[] => reads.take().map((draws) => ({ ...packer.toRow(draws), owner: names.ownerOf(draws.owner) }))
    const rows = this.#entries.flatMap((entry) => {
      if (typeof entry === 'function') return [...drawn(), entry(names)]
      reads.of(entry.owner)[entry.kind].push(entry.value as never)
      return []
    })
    return [...rows, ...drawn()]
  }

  /** When a completion comes. It shares the tick of the previous one if it did in the recording and nothing came in between. */
  #complete(row?: InTick): InTick & { readonly at: number } {
    const at = this.#run.conductor.now
    if (this.#lastIsCompletion && row?.sameTick === true) return { at, sameTick: true }
    this.#ticks += 1
    const isInTurn = row?.sameTick === true || row?.sameTurn === true
    const turns = this.#turns.tick()
    return { at, ...(isInTurn && { sameTurn: true }), ...(turns !== undefined && { turns }) }
  }

  #add(entry: Entry, isCompletion = false): void {
    if (this.#run.stopped) return
    this.#entries.push(entry)
    this.#lastIsCompletion = isCompletion
  }
}

function toCallRow(call: ReplayCall, { numberOf, requestOf, agentInputOf }: Names): Row {
  const { boundary, name, effect, idempotencyKey, limit, at } = call
  const cut = call.changed ? undefined : call.planned?.call.cut
  const owner = call.owner === undefined ? 0 : numberOf(call.owner)
  const given = omitUndefined({ effect, idempotencyKey, limit, cut, agentInput: agentInputOf(call) })
  return { kind: 'call', step: numberOf(call), owner, boundary, name, ...given, ...requestOf(call), at }
}

/** The settling of a call that has no recorded one. */
function settlingOf({ outcome, planned, source, ranAtOnce }: ReplayCall): Omit<ReturnRow, 'step' | 'at'> | Omit<ThrowRow, 'step' | 'at'> {
  const sync = ranAtOnce || (planned ?? source)?.settled?.sync === true ? { sync: true as const } : {}
  if (outcome === undefined) return { kind: 'return', by: 'agent' }
  return 'error' in outcome
    ? { kind: 'throw', error: toRecordedError(outcome.error), ...sync }
    : { kind: 'return', output: outcome.output, ...sync }
}

function withoutTick({ sameTick: _tick, sameTurn: _turn, turns: _turns, ...row }: CompletionRow): Omit<CompletionRow, keyof InTick> {
  return row
}
