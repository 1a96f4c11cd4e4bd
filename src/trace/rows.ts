import type { Boundary, Effect } from './boundary.ts'
import type { RunRow } from './run-row.ts'

/** The version of the trace format that this release writes. Older ones are read, newer ones are refused by name. */
export const FORMAT_VERSION = 2

/** A step starts. `owner` is the step in whose body it happened, 0 for the run itself. */
export interface CallRow {
  readonly kind: 'call'
  readonly step: number
  readonly owner: number
  readonly boundary: Boundary
  /** A tool's or external's name; a model call's dialect (`openai.chat`); a plain HTTP call's host. */
  readonly name: string
  readonly effect?: Effect
  /** The key that makes repeating this side effect harmless, or tells that it was repeated. */
  readonly idempotencyKey?: string
  /** 2 for the first retry of the same request, and so on; absent on the first try. */
  readonly attempt?: number
  /** How many milliseconds it may take, where the client that makes it keeps that limit: a driver, gRPC, a child process. */
  readonly limit?: number
  /** How many bytes of the request's body had been sent, where the call settled without an answer before the rest was. */
  readonly cut?: number
  /** A tool's arguments; an `HttpInput` for `model` and `http`. */
  readonly input: unknown
  /** In a fork: what the agent made the call with, where it went out edited. A replay accepts both. */
  readonly agentInput?: unknown
  /** Milliseconds since the run started. */
  readonly at: number
}

/** How a completion row stands to the one before it. */
export interface InTick {
  /** No microtask ran between them: the agent saw them as one. Absent, the row starts a tick of its own. */
  readonly sameTick?: true
  /** Only microtasks ran between them: both came about within one turn of the event loop. */
  readonly sameTurn?: true
  /**
   * How many of the turns of the event loop that the agent asked for (`setImmediate`) came since the previous tick. Absent if none came and the agent
   * was waiting for none.
   */
  readonly turns?: number
}

/** An answer's status and headers arrive. */
export interface HeadRow extends InTick {
  readonly kind: 'head'
  readonly step: number
  readonly at: number
  readonly status: number
  readonly headers: HeaderPairs
  /** Where the answer came from, when redirects led elsewhere than the call went. */
  readonly url?: string
}

/**
 * What arrives of a stream within one tick, decoded. Exactly one of `text` (UTF-8), `bytes`, and `length` (the body stands whole in the step's
 * `return` row, this is how many bytes of it arrived now).
 */
export interface ChunkRow extends InTick {
  readonly kind: 'chunk'
  readonly step: number
  readonly at: number
  readonly text?: string
  readonly bytes?: Uint8Array
  readonly length?: number
  /**
   * `bytes` are as they came: they are not in the content encoding that the head names. Without any, it is said only that the body does not end as that
   * does.
   */
  readonly encoded?: true
  /**
   * Of a child process: `stderr` or `fd3` for its other outputs, `message` for what a forked child sends (JSON), `exit` for its exit (JSON),
   * `end` where one of its outputs ends, `disconnect` where its channel does. Of a call of gRPC: `metadata`, or a `message` (JSON). Of a WebSocket:
   * `answer` for the answer to its handshake (JSON), `body` for that of one that is refused, then `text` (each with a line's end), `binary`, `ping`,
   * `pong`, `close` (JSON), and `end` where the server ends the connection. Absent: a process's standard output, or an answer's body.
   */
  readonly stream?: string
}

/** How a step settles, whether with a value or with an error. */
interface SettlingRow extends InTick {
  readonly step: number
  readonly at: number
  /** The agent itself ended the step (it stopped reading a stream, or aborted the call): nothing of the world's to wait for. */
  readonly by?: 'agent'
  /** The function returned its value, or threw, directly: it gave no promise. */
  readonly sync?: true
  /** Of a tool or an external: nothing but microtasks ran since its call. Unknown in format 1. */
  readonly inTurn?: true
  /** How long its connection might be idle, in milliseconds, where a part of the answer came later than that and it was not given up. */
  readonly outlasted?: number
}

/** How a step or a run settled, as its values are in the process. */
export type Settled = { readonly output: unknown } | { readonly error: unknown }

/** A step settles with a value. For HTTP steps `output` is an `HttpOutput`. */
export interface ReturnRow extends SettlingRow {
  readonly kind: 'return'
  readonly output?: unknown
}

/** A step settles with an error. */
export interface ThrowRow extends SettlingRow {
  readonly kind: 'throw'
  readonly error: RecordedError
}

/** A timer of the run fires. Known by the tick it was set in, its delay and its occurrence among equals. */
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

/** What a timer is known by: its owner, the tick that it was set in, its delay, and its occurrence among equals. */
export type TimerKey = Pick<TimerRow, 'owner' | 'set' | 'delay' | 'occurrence'>

/** Synchronous draws of one owner since the last row. */
export interface ReadsRow {
  readonly kind: 'reads'
  readonly owner: number
  /** `Date.now()` and its kin: milliseconds, each as the difference to the run's clock read before (the first: to `startedAt`). */
  readonly clock?: readonly number[]
  /** `performance.now()`, `process.hrtime()`: whole microseconds, each as the difference to the run's one before (the first: to 0). */
  readonly monotonic?: readonly number[]
  /** `Math.random()`: the doubles, 8 bytes each, little-endian. */
  readonly random?: Uint8Array
  readonly uuid?: readonly string[]
  /** Draws of crypto bytes, one entry a draw. */
  readonly bytes?: readonly Uint8Array[]
  /** What the machine or the process said of itself: `os.hostname()`, `process.memoryUsage()`. */
  readonly facts?: readonly Fact[]
}

/** A fact of the machine or the process, as it was when it was read. */
export interface Fact {
  /** The function that told it: `os.hostname`. */
  readonly name: string
  readonly value: unknown
}

/** Something reached the run from outside. With `sameTick` and no completion before it, it had when the run began. */
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
  /** The recorder took it, by its policy: it is the recorded state, and compared with nothing. */
  readonly by?: 'policy'
  readonly state: unknown
  readonly at: number
}

/**
 * How a session was opened that the run uses, such as a client of an MCP server: by this run, or before it. What belongs to the session is not compared,
 * and a replay answers it at any time.
 */
export interface PreambleRow {
  readonly kind: 'preamble'
  /** The process that was started, the server's name, and what it answered. */
  readonly value: unknown
  readonly at: number
}

/** What the recorder could not or would not keep, or wants a person to see. */
export interface NoteRow {
  readonly kind: 'note'
  /** A stable word: `unrecorded-contact`, `native-addon`, `unkept-value`, `unwritten-call`, `repeated-side-effect`, `flagged`, `torn-tail`, `cut`, `drop`, `late-call`, `shared-call`. */
  readonly what: string
  /** A host, a path into a value, a step, a reason: what `what` is about. */
  readonly where: string
  readonly at: number
}

/** Token counts of a run's model calls. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * The run settled. Exactly one of `output` and `error`; `output` is absent when the agent returned nothing. From format 2 on, what the run left
 * behind and did later follows it.
 */
export interface EndRow {
  readonly kind: 'end'
  readonly output?: unknown
  readonly error?: RecordedError
  readonly at: number
  /** What the model calls used together. A recorder, which reads no answers, leaves it out. */
  readonly usage?: Usage
  /**
   * Timers that had been due by the times that rows tell, and did not fire before they were cleared or the run settled: the process was busy. Absent where
   * there were none.
   */
  readonly overdue?: readonly TimerKey[]
}

/** The last row since format 2: nothing else happened in the run until then. Absent where the process died before. */
export interface ClosedRow {
  readonly kind: 'closed'
  /** Milliseconds since the run started. */
  readonly until: number
  /** How many of the turns that the agent asked for had come since the last tick, if it was waiting for another one when the recorder was closed. */
  readonly turns?: number
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
  | CheckpointRow
  | NoteRow
  | EndRow
  | ClosedRow

/** A row of the one completion log: something that reached the run. */
export type CompletionRow = HeadRow | ChunkRow | ReturnRow | ThrowRow | TimerRow | SignalRow

/** Header names (lower case) and values, in the order they came; a name may stand twice. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** A body: parsed JSON where printing it again gives the same bytes, else its text, else its bytes; none of them when there was none. */
export interface HttpBody {
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Uint8Array
}

/** The input of an `http` or `model` step. */
export interface HttpInput extends HttpBody {
  readonly method: string
  readonly url: string
  /** Only the headers that carry meaning: content type, idempotency key, `*-version`, `*-beta`, and what the user names. */
  readonly headers: HeaderPairs
}

/** The output of an `http` or `model` step. In a `return` row `status`, `headers` and `url` are absent where a `head` row has them. */
export interface HttpOutput extends HttpBody {
  readonly status?: number
  readonly headers?: HeaderPairs
  /** Where the answer came from, when redirects led elsewhere than the call went. */
  readonly url?: string
  readonly trailers?: HeaderPairs
}

/** An error as it can be written down and thrown again. */
export interface RecordedError {
  /** The error's own `name`. */
  readonly name: string
  readonly message: string
  /** Its constructor's name, where it differs from `name`. */
  readonly class?: string
  readonly code?: string | number
  readonly status?: number
  readonly cause?: RecordedError
  /** Its other own enumerable fields. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** What was thrown, when it was not an error. */
  readonly value?: unknown
}
