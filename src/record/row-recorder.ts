import type { InTick, RecordedError, Row } from '../trace/rows.ts'
import type { AmbientAnswer } from '../trace/run-row.ts'
import type { Redactor } from './redaction/redactor.ts'

/** What the parts of a recording run write their rows with. */
export interface RowRecorder {
  /** How many ticks the run has seen. */
  readonly tick: number
  /** The request headers that are kept beside those that always carry meaning. */
  readonly compareHeaders: readonly string[]
  /** Milliseconds since the run started, to a tenth. */
  at(): number
  push(row: Row): void
  /** Takes the place of a row that is made later. */
  reserve(): (row: Row) => void
  /** Notes a completion, before it is delivered: how its row stands to the one before. */
  completion(): InTick
  /** A value as the trace keeps it: as it is now, and redacted. What cannot be kept is noted as standing in `where`. */
  keep(value: unknown, where: string): unknown
  /** An error as the trace keeps it. */
  keepError(error: unknown, where: string): RecordedError
  readonly redactor: Redactor
  /** How many timers of this owner and delay have been set in the current tick, this one included. */
  countTimer(owner: number, delay: number): number
  /** Whether a call of this name belongs to the process more than to the run. */
  isAmbient(name: string): boolean
  /** @param answer As it came: it is redacted in the traces that it stands in. */
  keepAmbient(answer: AmbientAnswer): void
  /** Notes a side effect that the run has made before. */
  countSideEffect(step: number, name: string, key: string): void
  /** Returns once what was written is with the operating system. */
  flush(): void
}
