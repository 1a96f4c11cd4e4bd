import type { Json } from '../json.ts'
import type { HeaderPairs } from '../http-facts.ts'
import type {
  CallRow,
  CheckpointRow,
  ChunkRow,
  ClosedRow,
  EndRow,
  HeadRow,
  NoteRow,
  ReadsRow,
  RecordedError,
  ReturnRow,
  SignalRow,
  ThrowRow,
  TimerRow,
} from '../rows.ts'
import type { PreambleRow } from '../preamble-row.ts'
import type { StandInRow } from '../stand-in-row.ts'
import type { Ambient, AmbientAnswer, Check, Expectation, ForkedFrom, Golden, ResumedFrom, RunRow } from '../run-row.ts'
import type { LikeHead } from './head-codec.ts'
import type { StreamText } from './stream-encoder.ts'

/** A value that is stored once; later rows refer to it as `{"$":"t3"}`. */
export interface EncodedText {
  readonly kind: 'text'
  /** `t` and its ordinal among the texts of the file. */
  readonly ref: string
  readonly value: Json
}

/** An error in a file: its fields and value are written values. */
export type EncodedError = Omit<RecordedError, 'cause' | 'fields' | 'value'> & {
  readonly cause?: EncodedError
  readonly fields?: Json
  readonly value?: Json
}

/** An expectation, by the type of its answers and of its matchers' arguments: in a file, written values. */
export type ExpectationOf<Value> =
  | Extract<Expectation, { replay: 'same' }>
  | (Omit<Extract<Expectation, { replay: 'departs' }>, 'answers' | 'checks'> & {
      readonly answers?: Readonly<Record<string, Value>>
      readonly checks?: readonly (Omit<Check, 'args'> & { readonly args?: readonly Value[] })[]
    })

/** The fields that promotion adds to a header, in a file. */
export type EncodedGolden = Omit<Golden, 'expect'> & { readonly expect: ExpectationOf<Json> }

/** Ambient calls, by the type of their inputs and outputs: in a file, written values. */
export type AmbientOf<Value> = Omit<Ambient, 'answers'> & {
  readonly answers: readonly (Omit<AmbientAnswer, 'input' | 'output'> & { readonly input: Value; readonly output: Value })[]
}

/** The origin of a fork, in a file: its edit is a written value. */
export type EncodedFork = Omit<ForkedFrom, 'edit'> & { readonly edit?: Json }

export type EncodedRun = Omit<RunRow, 'input' | 'golden' | 'ambient' | 'forkedFrom' | 'resumedFrom'> & {
  readonly input: Json
  readonly forkedFrom?: EncodedFork
  readonly resumedFrom?: Omit<ResumedFrom, 'state'> & { readonly state: Json }
  readonly ambient?: AmbientOf<Json>
  readonly golden?: EncodedGolden
}
export type EncodedCall = Omit<CallRow, 'input' | 'agentInput'> & { readonly input: Json; readonly agentInput?: Json }
export type EncodedHead = Omit<HeadRow, 'headers'> & { readonly headers: HeaderPairs | { readonly $: string } | LikeHead }
export type EncodedChunk = Omit<ChunkRow, 'text' | 'bytes'> & { readonly text?: StreamText; readonly bytes?: string }
export type EncodedReturn = Omit<ReturnRow, 'output'> & { readonly output?: Json }
export type EncodedThrow = Omit<ThrowRow, 'error'> & { readonly error: EncodedError }
export type EncodedReads = Omit<ReadsRow, 'random' | 'bytes'> & { readonly random?: string; readonly bytes?: readonly string[] }
export type EncodedSignal = Omit<SignalRow, 'value'> & { readonly value?: Json }
export type EncodedPreamble = Omit<PreambleRow, 'value'> & { readonly value: Json }
export type EncodedCheckpoint = Omit<CheckpointRow, 'state'> & { readonly state: Json }
export type EncodedEnd = Omit<EndRow, 'output' | 'error'> & { readonly output?: Json; readonly error?: EncodedError }

/** A row in a file, one per line: values are JSON (see `toRecorded`) and may be references to text rows. */
export type EncodedRow =
  | EncodedRun
  | EncodedText
  | EncodedCall
  | EncodedHead
  | EncodedChunk
  | EncodedReturn
  | EncodedThrow
  | TimerRow
  | EncodedReads
  | EncodedSignal
  | EncodedPreamble
  | StandInRow
  | EncodedCheckpoint
  | NoteRow
  | EncodedEnd
  | ClosedRow
