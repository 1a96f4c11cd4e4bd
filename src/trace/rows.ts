import type { Boundary, Effect } from './boundary.ts'
import type { ConnectionState, Credential, HeaderPairs, HttpHead, UnfollowedRedirect } from './http-facts.ts'
import type { GivenPieces } from './given-pieces.ts'
import type { PreambleRow } from './preamble-row.ts'
import type { RunRow } from './run-row.ts'
import type { StandInRow } from './stand-in-row.ts'

/** The version of the trace format that this release writes. Older versions are read; newer ones are refused with their number. */
export const FORMAT_VERSION = 3

/** A step starts. `owner` is the step in whose body it was called, 0 for the run itself. */
export interface CallRow {
  readonly kind: 'call'
  readonly step: number
  readonly owner: number
  readonly boundary: Boundary
  /** The name of a tool or an external, the dialect of a model call (`openai.chat`), or the host of a plain HTTP call. */
  readonly name: string
  readonly effect?: Effect
  /** The key that makes repeating this side effect harmless, or shows that it was repeated. */
  readonly idempotencyKey?: string
  /** 2 for the first retry of the same request, and so on; absent on the first try. */
  readonly attempt?: number
  /** The call's time limit in milliseconds, if the client that makes the call enforces it: a driver, gRPC, a child process. */
  readonly limit?: number
  /** How many bytes of the request's body had been sent, if its answer began, or the call settled, before the rest was sent. */
  readonly cut?: number
  /** A tool's arguments; an `HttpInput` for `model` and `http`. */
  readonly input: unknown
  /** In a fork: the agent's own input, if the call went out edited. A replay accepts both. */
  readonly agentInput?: unknown
  /** In whose name the call was made, and values of the environment that it sent. Absent if there are none. */
  readonly credentials?: readonly Credential[]
  /** The client that made the request, by its `user-agent`, unless the earlier call of the same name has the same. */
  readonly client?: string
  /** Milliseconds since the run started. */
  readonly at: number
}

/** The relation of a completion row to the previous one. */
export interface InTick {
  /** No microtask ran in between: the agent saw both as one. If absent, the row starts a new tick. */
  readonly sameTick?: true
  /** Only microtasks ran in between: both came about within one turn of the event loop. */
  readonly sameTurn?: true
  /**
   * How many turns of the event loop that the agent asked for (`setImmediate`) came since the previous tick. Absent if none came and the agent was
   * not waiting for one.
   */
  readonly turns?: number
}

/** An answer's status and headers arrive. A status below 200, except 101, is informational: the head of the answer is still to come. */
export interface HeadRow extends InTick, HttpHead {
  readonly kind: 'head'
  readonly step: number
  readonly at: number
  readonly connection?: ConnectionState
}

/** That bytes are as received, undecoded. A text is what a decoder says of them: `Z_DATA_ERROR: incorrect data check`. */
export type Undecoded = true | string

/**
 * The part of a stream that arrives within one tick, decoded. Has exactly one of `text` (UTF-8), `bytes`, and `length` (the number of bytes that
 * arrived now; the step's `return` row holds the whole body).
 */
export interface ChunkRow extends InTick {
  readonly kind: 'chunk'
  readonly step: number
  readonly at: number
  readonly text?: string
  readonly bytes?: Uint8Array
  readonly length?: number
  /**
   * Whether `bytes` are undecoded because they are not in the content encoding that the head names. Without any bytes, it only says that the body
   * does not end as the encoding requires. A text is the code and the message with which a decoder refuses the bytes.
   */
  readonly encoded?: Undecoded
  /**
   * For a child process: `stderr` or `fd3` for its other outputs, `message` for a message of a forked child (JSON), `exit` for its exit (JSON), `end`
   * for the end of one of its outputs, `disconnect` for the end of its channel. For a gRPC call: `metadata`, or a `message` (JSON). For a WebSocket:
   * `answer` for the answer to its handshake (JSON), `body` for the body of a refusal, then `text` (each with a line break), `binary`, `ping`,
   * `pong`, `close` (JSON), and `end` when the server ends the connection. Absent for a process's standard output and for an answer's body.
   */
  readonly stream?: string
}

/** A step settles, with a value or an error. */
interface SettlingRow extends InTick {
  readonly step: number
  readonly at: number
  /** The agent itself ended the step (it stopped reading a stream, or aborted the call): nothing from the world is awaited. */
  readonly by?: 'agent'
  /** The function returned its value or threw synchronously, without a promise. */
  readonly sync?: true
  /** Set for a tool or an external if only microtasks ran since its call. Unknown in format 1. */
  readonly inTurn?: true
  /** The idle limit of its connection, in milliseconds, if a part of the answer came later than that and the call was not aborted. */
  readonly outlasted?: number
  /** Absent if a head row has it. */
  readonly connection?: ConnectionState
}

/** The outcome of a step or a run, with its values as they are in the process. */
export type Settled = { readonly output: unknown } | { readonly error: unknown }

/** A step settles with a value. For HTTP steps, `output` is an `HttpOutput`. */
export interface ReturnRow extends SettlingRow {
  readonly kind: 'return'
  readonly output?: unknown
}

/** A step settles with an error. */
export interface ThrowRow extends SettlingRow {
  readonly kind: 'throw'
  readonly error: RecordedError
}

/** A timer of the run fires. It is identified by the tick in which it was set, its delay and its occurrence among equals. */
export interface TimerRow extends InTick {
  readonly kind: 'timer'
  readonly owner: number
  /** How many ticks the run had seen when the timer was set (for an interval: when it was last armed). */
  readonly set: number
  /** Milliseconds. */
  readonly delay: number
  /** 1 for the first timer of this owner, tick and delay, and so on; absent when 1. */
  readonly occurrence?: number
  readonly at: number
}

/** The identity of a timer: its owner, the tick in which it was set, its delay, and its occurrence among equals. */
export type TimerKey = Pick<TimerRow, 'owner' | 'set' | 'delay' | 'occurrence'>

/** Synchronous draws of one owner since the last row. */
export interface ReadsRow {
  readonly kind: 'reads'
  readonly owner: number
  /** `Date.now()` and similar: milliseconds, each as the difference from the run's previous clock read (the first: from `startedAt`). */
  readonly clock?: readonly number[]
  /** `performance.now()`, `process.hrtime()`: whole microseconds, each as the difference from the run's previous one (the first: from 0). */
  readonly monotonic?: readonly number[]
  /** `Math.random()`: the doubles, 8 bytes each, little-endian. */
  readonly random?: Uint8Array
  readonly uuid?: readonly string[]
  /** Draws of crypto bytes, one entry per draw. */
  readonly bytes?: readonly Uint8Array[]
  /** Facts of the machine or the process: `os.hostname()`, `process.memoryUsage()`. */
  readonly facts?: readonly Fact[]
}

/** A fact of the machine or the process, as it was when it was read. */
export interface Fact {
  /** The function that returned it: `os.hostname`. */
  readonly name: string
  readonly value: unknown
}

/** A signal reached the run from outside. With `sameTick` and no completion before it, the signal was there when the run began. */
export interface SignalRow extends InTick {
  readonly kind: 'signal'
  readonly name: string
  readonly value?: unknown
  readonly at: number
}

/** The agent's named state at a point of the run. */
export interface CheckpointRow {
  readonly kind: 'checkpoint'
  readonly owner: number
  readonly name: string
  /** The recorder took it, by its policy: it is the recorded state and is not compared. */
  readonly by?: 'policy'
  readonly state: unknown
  readonly at: number
}

/** Something that the recorder could not or would not keep, or that a person should see. */
export interface NoteRow {
  readonly kind: 'note'
  /**
   * A stable identifier: `unrecorded-contact`, `native-addon`, `native-contact`, `unkept-value`, `unwritten-call`, `repeated-side-effect`, `flagged`, `torn-tail`,
   * `cut`, `drop`, `late-call`, `shared-call`.
   */
  readonly what: string
  /** The subject of the note: a host, a path into a value, a step, a reason. */
  readonly where: string
  readonly at: number
}

/** Token counts of a run's model calls. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The run settled. Has one of `output` and `error`; neither if the agent returned nothing. From format 2 on, work that the run left behind follows. */
export interface EndRow {
  readonly kind: 'end'
  readonly output?: unknown
  readonly error?: RecordedError
  readonly at: number
  /** The total usage of the model calls. A recorder, which reads no answers, omits it. */
  readonly usage?: Usage
  /**
   * Timers that were due according to the times of the rows but did not fire before they were cleared or the run settled: the process was busy.
   * Absent if there were none.
   */
  readonly overdue?: readonly TimerKey[]
  /** Where the run gave the pieces that it handed out, among its calls. Absent if there were none. */
  readonly given?: readonly GivenPieces[]
}

/**
 * What ended the watch of a settled run: nothing was left (`done`), the time was over (`time`), more runs were watched than the recorder may watch
 * (`runs`), the recorder was closed (`close`), or the process ended (`exit`).
 */
export type WatchEnd = 'done' | 'time' | 'runs' | 'close' | 'exit'

/** The last row since format 2: until then nothing else happened in the run. Absent if the process died earlier. */
export interface ClosedRow {
  readonly kind: 'closed'
  /** Milliseconds since the run started. */
  readonly until: number
  /** What ended the watch. Absent in recordings of earlier versions. */
  readonly by?: WatchEnd
  /** Timers that were due by then according to the times of the rows, but did not fire. Absent if there were none. */
  readonly overdue?: readonly TimerKey[]
  /** How many turns that the agent asked for had come since the last tick, if it was waiting for another one when the recorder was closed. */
  readonly turns?: number
  /** How many requests were left out, as telemetry or by `mute`. Absent if there were none, and before format 3. */
  readonly muted?: number
}

/** A row as the program sees it: references resolved, rich values revived. (`text` rows exist in files only.) */
export type Row =
  | RunRow
  | CallRow
  | HeadRow
  | ChunkRow
  | ReturnRow
  | ThrowRow
  | TimerRow
  | ReadsRow
  | SignalRow
  | PreambleRow
  | StandInRow
  | CheckpointRow
  | NoteRow
  | EndRow
  | ClosedRow

/** A row of the completion log: something that reached the run. */
export type CompletionRow = HeadRow | ChunkRow | ReturnRow | ThrowRow | TimerRow | SignalRow

/** A body: parsed JSON if printing it again gives the same bytes, else its text, else its bytes; none of them if there was no body. */
export interface HttpBody {
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Uint8Array
}

/** The input of an `http` or `model` step. */
export interface HttpInput extends HttpBody {
  readonly method: string
  readonly url: string
  /** What the caller set, less `docs/headers.md`'s tables. Before format 3: content type, idempotency key, `*-version`, `*-beta`. */
  readonly headers: HeaderPairs
  /** Set for a fetch that does not follow redirects. Since format 3. */
  readonly redirect?: UnfollowedRedirect
}

/** The output of an `http` or `model` step. A `return` row omits the fields of the head if a `head` row has them. */
export interface HttpOutput extends HttpBody, Partial<HttpHead> {
  readonly trailers?: HeaderPairs
  /**
   * In a `return` row after a `head` row with `digests`: each digest as it was received; null if it is computed from the body, because redaction
   * changed the body, or because the body is encoded anew.
   */
  readonly received?: readonly (string | null)[]
}

/** An error in a form that can be written and thrown again. */
export interface RecordedError {
  /** The error's own `name`. */
  readonly name: string
  readonly message: string
  /** Its constructor's name, if that differs from `name`. */
  readonly class?: string
  readonly code?: string | number
  readonly status?: number
  readonly cause?: RecordedError
  /** Its other own enumerable fields. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The thrown value, if it was not an error. */
  readonly value?: unknown
}
