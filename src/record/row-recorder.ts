import type { CallRow, RecordedError } from '../trace/rows.ts'
import type { AmbientAnswer } from '../trace/run-row.ts'
import type { SideEffectWatch } from './side-effect-watch.ts'
import type { LeftWork } from './left-work.ts'
import type { TickCounter } from './tick-counter.ts'
import type { RawBody, RawEntry, RawRow } from './raw/raw-entry.ts'

/** What the parts of a recording run hand over what happens with. */
export interface RowRecorder {
  /** Notes completions, before they are delivered. */
  readonly ticks: Pick<TickCounter, 'complete' | 'mark' | 'count' | 'countTimer'>
  /** The request headers that are kept beside those that always carry meaning. */
  readonly compareHeaders: readonly string[]
  /** Does what may fail with no harm to anything but the recording, which ends then. Gives undefined where it failed, or the recording has ended. */
  attempt<Result>(record: () => Result): Result | undefined
  /** Milliseconds since the run started, to a tenth. */
  at(): number
  push(row: RawRow): void
  /** Hands over what is of an exchange. */
  take(entry: RawEntry, body?: RawBody): void
  /** A value in recorded form, as it is now. What cannot be kept is noted as standing in `where`. */
  keep(value: unknown, where: string): unknown
  /** As `keep`, for what a function gave: a `Buffer` comes back as one. */
  keepOutput(value: unknown, where: string): unknown
  /** An error with its values in recorded form. */
  keepError(error: unknown, where: string): RecordedError
  /** What the run has left to do. */
  readonly left: Pick<LeftWork, 'isLate' | 'completedAt' | 'timerStarts' | 'timerFails' | 'timerStops'>
  /** Whether a call of this name belongs to the process more than to the run. */
  isAmbient(name: string): boolean
  /** @param answer As it came: it is redacted in the traces that it stands in. */
  keepAmbient(answer: AmbientAnswer): void
  /** Is told of what changes the world outside. */
  readonly sideEffects: SideEffectWatch
  /** Has a side effect written down before it happens; notes where that could not be waited for. */
  announce(call: CallRow): void
}
