import { callSite, captureTrail } from '../run/call-site.ts'
import { hostOf } from '../http/host-of.ts'
import type { AgentTurns } from '../run/agent-turns.ts'
import type { EndRow, TimerKey } from '../trace/rows.ts'
import { isCompletion, isPart, settles, stepOf } from './raw/entry-kinds.ts'
import type { RawBody, RawEntry } from './raw/raw-entry.ts'

/** What a row takes beside the body that comes with it, roughly. */
const rowBytes = 200

/** For so long an answer that has begun is waited for without a piece of it: nobody may be reading it. In milliseconds. */
const betweenPieces = 1_000

/** A run that is not busy all the time has fewer timers that are overdue. */
const mostOverdue = 1000

/** A timer of a run. */
export interface LeftTimer {
  readonly key: TimerKey
  /** When the last completion came about that the run had seen when the timer was set, in milliseconds since it started. */
  readonly since: number
  /** Whether it will fire by then, in milliseconds since the run started. */
  isDueBy(at: number): boolean
}

/** What a run has left to do: calls that are under way, and timers that are running. Once it has settled, that is what it left behind. */
export class LeftWork {
  /** When the run settled, in milliseconds since it started; undefined before. */
  endedAt: number | undefined
  /** Called when something that the run left behind was done. */
  onDone: (() => void) | undefined
  /** Called when what the run left behind takes more than it may, and when its recording ends. */
  onEnd: (() => void) | undefined
  readonly #limit: number
  /** What was handed over since the run settled, roughly. */
  #bytes = 0
  #hasGoneBeyond = false
  readonly #timers = new Set<LeftTimer>()
  /**
   * Timers that were due by the times of the run's rows, and did not fire all the same: the process was busy, or they were set some time after the
   * completion that they followed. A replay, whose clock goes by the rows, would take them for limits that fire.
   */
  readonly #overdue: TimerKey[] = []
  /** When the last completion came about that the run saw, in milliseconds since it started. */
  completedAt = 0
  /** Of calls under way, until when they are waited for. */
  readonly #calls = new Map<number, number>()
  #open = 0

  readonly #turns: AgentTurns

  /** @param limit In bytes. */
  constructor(limit: number, turns: AgentTurns) {
    this.#limit = limit
    this.#turns = turns
    turns.onEnd = () => (this.isLate ? this.onDone?.() : undefined)
  }

  /** Whether the run has settled: what happens now it left behind. */
  get isLate(): boolean {
    return this.endedAt !== undefined
  }

  /** Whether what it left behind takes more than it may. */
  get isFull(): boolean {
    return this.#bytes > this.#limit
  }

  /** Something happens in the run. */
  follow(entry: RawEntry, body: RawBody, now: number): void {
    if (this.isLate) this.#bytes += rowBytes + (body?.length ?? 0)
    if (isCompletion(entry)) this.completedAt = now
    const step = stepOf(entry)
    if (step === undefined) return
    if (settles(entry)) this.#calls.delete(step)
    else this.#calls.set(step, isPart(entry) ? now + betweenPieces : Infinity)
  }

  /** It has happened, and is handed over. */
  followed(entry: RawEntry): void {
    if (this.isLate && settles(entry)) this.onDone?.()
  }

  /** Something is open that ends in a step, until the release is called. */
  opens(): () => void {
    this.#open += 1
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#open -= 1
      if (this.isLate) this.onDone?.()
    }
  }

  timerStarts(timer: LeftTimer): void {
    this.#timers.add(timer)
  }

  /** A timer that has not fired is cleared, or set anew. */
  timerFails({ key, since }: LeftTimer, at: number): void {
    if (since + key.delay < at && this.#overdue.length < mostOverdue) this.#overdue.push(key)
  }

  /** A timer fired for the last time, or was cleared. */
  timerStops(timer: LeftTimer): void {
    this.#timers.delete(timer)
    if (this.isLate) this.onDone?.()
  }

  /** The run settles: what its `end` row says of timers. */
  overdueAt(at: number): Pick<EndRow, 'overdue'> {
    for (const timer of this.#timers) this.timerFails(timer, at)
    return this.#overdue.length === 0 ? {} : { overdue: this.#overdue }
  }

  /** Describes the first entry that goes beyond the limit; undefined for those that follow. */
  firstBeyond(entry: RawEntry): string | undefined {
    if (this.#hasGoneBeyond) return undefined
    this.#hasGoneBeyond = true
    return describeLateCall(entry)
  }

  /** Whether there is something to wait for by then, in milliseconds since the run started. */
  isAny(by: number, now: number): boolean {
    if (this.#open > 0 || this.#turns.areAnyAwaited) return true
    for (const until of this.#calls.values()) if (until > now) return true
    for (const timer of this.#timers) if (timer.isDueBy(by)) return true
    return false
  }
}

/** What a note says of an entry that is not kept: the tool or the host, and the line of the agent. */
function describeLateCall(entry: RawEntry): string {
  const site = callSite(captureTrail().stack)
  const at = site === undefined ? '' : ` at ${site.file}:${site.line}:${site.column}`
  if (entry.kind === 'request') return `${entry.method} ${hostOf(entry.url).host}${at}`
  if (entry.kind === 'row' && entry.row.kind === 'call') return `${entry.row.name}${at}`
  const step = stepOf(entry)
  return step === undefined ? 'what follows the last step' : `what follows step ${step}`
}
