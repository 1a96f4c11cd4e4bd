import { callSite, captureTrail, printCallSite } from '../run/call-site.ts'
import { hostOf } from '../http/host-of.ts'
import type { AgentTurns } from '../run/agent-turns.ts'
import type { EndRow, TimerKey } from '../trace/rows.ts'
import { isCall, isCompletion, isPart, settles, stepOf } from './raw/entry-kinds.ts'
import type { RawBody, RawEntry } from './raw/raw-entry.ts'

/** The approximate size of a row without its body. A firing is short, and an interval that is never cleared has many. */
const rowBytes = 200
const timerBytes = 40

/** How long to wait for the next piece of an answer that has begun, in milliseconds: the agent may not be reading it. */
const betweenPieces = 1_000

/** A run that is not busy all the time has fewer overdue timers. */
const mostOverdue = 1000

/** A timer of a run. */
export interface LeftTimer {
  readonly key: TimerKey
  /** When the last completion that the run had seen before setting the timer came about, in milliseconds since the run started. */
  readonly since: number
  /** Returns whether the timer will fire by `at`, in milliseconds since the run started. */
  isDueBy(at: number): boolean
}

/** The work that a run still has to do: calls under way and running timers. Once the run has settled, this is the work that it left behind. */
export class LeftWork {
  /** When the run settled, in milliseconds since it started; undefined before. */
  endedAt: number | undefined
  /** Called when a piece of the work left behind is done. */
  onDone: (() => void) | undefined
  /** Called when the work left behind exceeds its limit, and when the run's recording ends. */
  onEnd: (() => void) | undefined
  readonly #limit: number
  /** The approximate number of bytes handed over since the run settled. */
  #bytes = 0
  #hasGoneBeyond = false
  readonly #timers = new Set<LeftTimer>()
  /**
   * Timers that were due according to the times of the run's rows but did not fire: the process was busy, or they were set some time after the
   * completion that they followed. A replay, whose clock follows the rows, would take them for limits that fire.
   */
  #overdue: TimerKey[] = []
  /** When the last completion that the run saw came about, in milliseconds since the run started. */
  completedAt = 0
  /** The calls under way, with the time until which each is waited for. */
  readonly #calls = new Map<number, number>()
  #open = 0
  /** How many calls the run has made, and how many have settled. */
  made = 0
  settled = 0

  readonly #turns: AgentTurns

  /** @param limit In bytes. */
  constructor(limit: number, turns: AgentTurns) {
    this.#limit = limit
    this.#turns = turns
    turns.onEnd = () => (this.isLate ? this.onDone?.() : undefined)
  }

  /** Whether the run has settled: anything that happens now is work that it left behind. */
  get isLate(): boolean {
    return this.endedAt !== undefined
  }

  /** Whether the work left behind exceeds its limit. */
  get isFull(): boolean {
    return this.#bytes > this.#limit
  }

  /** Called when something happens in the run. */
  follow(entry: RawEntry, body: RawBody, now: number): void {
    if (this.isLate) this.#bytes += isFiring(entry) ? timerBytes : rowBytes + (body?.length ?? 0)
    if (isCompletion(entry)) this.completedAt = now
    const step = stepOf(entry)
    if (step === undefined) return
    if (settles(entry)) {
      this.settled += 1
      this.#calls.delete(step)
      return
    }
    if (isCall(entry)) this.made += 1
    this.#calls.set(step, isPart(entry) ? now + betweenPieces : Infinity)
  }

  /** Called when the entry has been handed over. */
  followed(entry: RawEntry): void {
    if (this.isLate && settles(entry)) this.onDone?.()
  }

  /** Counts an operation that will end in a step as open until the returned function is called. */
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

  /** Called when a timer that has not fired is cleared or set anew. After the run, a replay has such timers wait for all that was recorded. */
  timerFails(timer: LeftTimer, at: number): void {
    if (!this.isLate) this.#noteOverdue(timer, at)
  }

  /** Called when a timer fires for the last time or is cleared. */
  timerStops(timer: LeftTimer): void {
    this.#timers.delete(timer)
    if (this.isLate) this.onDone?.()
  }

  /** Returns the timer data of the run's `end` row, when the run settles, or of its `closed` row: the timers that have not fired since the last such row. */
  overdueAt(at: number): Pick<EndRow, 'overdue'> {
    for (const timer of this.#timers) this.#noteOverdue(timer, at)
    const overdue = this.#overdue
    if (overdue.length === 0) return {}
    this.#overdue = []
    return { overdue }
  }

  #noteOverdue({ key, since }: LeftTimer, at: number): void {
    if (since + key.delay <= at && this.#overdue.length < mostOverdue) this.#overdue.push(key)
  }

  /** Describes the first entry beyond the limit. Returns undefined for later ones. */
  firstBeyond(entry: RawEntry): string | undefined {
    if (this.#hasGoneBeyond) return undefined
    this.#hasGoneBeyond = true
    return describeLateCall(entry)
  }

  /** Returns whether there is something to wait for until `by`, in milliseconds since the run started. */
  isAny(by: number, now: number): boolean {
    if (this.#open > 0 || this.#turns.areAnyAwaited) return true
    for (const until of this.#calls.values()) if (until > now) return true
    for (const timer of this.#timers) if (timer.isDueBy(by)) return true
    return false
  }
}

function isFiring(entry: RawEntry): boolean {
  return entry.kind === 'row' && entry.row.kind === 'timer'
}

/** Describes an entry that is not kept, for a note: the tool or the host, and the line of the agent. */
function describeLateCall(entry: RawEntry): string {
  const site = callSite(captureTrail().stack)
  const at = site === undefined ? '' : ` at ${printCallSite(site)}`
  if (entry.kind === 'request') return `${entry.method} ${hostOf(entry.url).host}${at}`
  if (entry.kind === 'row' && entry.row.kind === 'call') return `${entry.row.name}${at}`
  const step = stepOf(entry)
  return step === undefined ? 'data after the last step' : `later data of step ${step}`
}
