import type { CallRow, RecordedError } from '../trace/rows.ts'
import type { AmbientAnswers } from './ambient-answers.ts'
import type { SideEffectWatch } from './side-effect-watch.ts'
import type { LeftWork } from './left-work.ts'
import type { TickCounter } from './tick-counter.ts'
import type { RawBody, RawEntry, RawRow } from './raw/raw-entry.ts'

/** The interface through which the parts of a recording run hand over events. */
export interface RowRecorder {
  /** Notes completions, before they are delivered. */
  readonly ticks: Pick<TickCounter, 'complete' | 'mark' | 'count' | 'countTimer'>
  /** The request headers to keep, in addition to those that are always kept. */
  readonly compareHeaders: readonly string[]
  /**
   * Runs a recording step. If the step throws, the recording ends; nothing else is affected. Returns undefined if the step threw or the recording has
   * ended.
   */
  attempt<Result>(record: () => Result): Result | undefined
  /** Milliseconds since the run started, to a tenth. */
  at(): number
  push(row: RawRow): void
  /** Hands over an entry. */
  take(entry: RawEntry, body?: RawBody): void
  /** Returns a value in recorded form, as it is now. Values that cannot be kept are noted under `where`. */
  keep(value: unknown, where: string): unknown
  /** Like `keep`, for the result of a function: a `Buffer` comes back as one. */
  keepOutput(value: unknown, where: string): unknown
  /** Returns an error with its values in recorded form. */
  keepError(error: unknown, where: string): RecordedError
  /** The work that the run still has to do. */
  readonly left: Pick<LeftWork, 'completedAt' | 'timerStarts' | 'timerFails' | 'timerStops'>
  /** Keeps answers for other runs, unredacted: they are redacted in each trace that contains them. */
  readonly ambient: Pick<AmbientAnswers, 'isNamed' | 'mayServe' | 'keep'>
  /** Notified of each change to the outside world. */
  readonly sideEffects: SideEffectWatch
  /** Has a side effect written before it happens; adds a note if the write took too long. */
  announce(call: CallRow): void
}
