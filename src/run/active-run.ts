import type { Boundary, Effect } from '../trace/boundary.ts'
import type { AgentTurns } from './agent-turns.ts'
import type { AnsweredSessions, Preamble } from './sessions.ts'
import type { ConnectionSink, ConnectionStart } from './connections.ts'
import type { CapturedProcess, ProcessSink, ProcessStart } from './processes.ts'
import type { HeaderPairs } from '../trace/rows.ts'
import type { RecordedFiles } from '../trace/run-row.ts'

/** A tool or external call as its wrapper saw it. */
export interface FunctionCall {
  /** The step in whose body it was made, 0 for the run itself. */
  readonly owner: number
  readonly boundary: Extract<Boundary, 'tool' | 'external'>
  readonly name: string
  readonly effect?: Effect
  readonly idempotencyKey?: string
  /** How many milliseconds it may take, where its client keeps that limit. */
  readonly limit?: number
  /** The database driver that makes it, by its package. */
  readonly driver?: string
  /** A tool's arguments: the single argument itself, or the list of them. */
  readonly input: unknown
  /** Error classes that a replay may throw recorded errors as. */
  readonly errors: readonly ErrorClass[]
  /** Set if the result may be more than data. */
  readonly result?: ResultForm
  /** The input is all that the function is called with, as its one argument or as a list of them: a fork may call it with another one. */
  readonly takes?: 'one' | 'list'
  /** It is a call of a synchronous function: the agent does nothing else before it has the answer. */
  readonly atOnce?: true
}

/** Runs a function. @param args Other arguments than it was called with, if the call is plain. */
export type Invoke = (args?: readonly unknown[]) => unknown

/** How a result that may be more than data is recorded and revived. */
export interface ResultForm {
  /** Returns what a trace keeps of a result. */
  keep(given: unknown): unknown
  /** Returns the agent's result from what a trace has. Throws if nothing was kept. */
  revive(kept: unknown): unknown
}

/** The class of an error that a tool may throw. */
export type ErrorClass = abstract new (...args: never[]) => Error

/** The start of an HTTP request, before its body is known. */
export interface ExchangeStart {
  /** The step in whose body it was made, 0 for the run itself. */
  readonly owner: number
  readonly method: string
  readonly url: string
  /** A function if they may still change until the body has been written. */
  readonly headers: HeaderPairs | (() => HeaderPairs)
  /** Set if its body is available. Otherwise, `requestBody` is called. */
  readonly ready?: { readonly body: Uint8Array | string | undefined }
  /** Recording: tells by `requestBody` what has been sent, where the exchange goes on before the body's end. */
  readonly cutBody?: () => void
  /** Recording: how long its connection may be idle now, in milliseconds; 0 if as long as it takes. */
  readonly idleLimit?: () => number
}

/**
 * Where an HTTP answer goes, part by part: to the trace when recording, to the agent when replaying. When replaying, a body is passed
 * decoded, whatever its `content-encoding`: the door encodes it for clients that decode it themselves.
 */
export interface AnswerSink {
  /** @param url The final URL, if redirects led to a different one. */
  head(status: number, headers: HeaderPairs, url?: string): void
  /** @param isEncoded Replaying: whether the bytes are passed as received, because they are not in the coding of the head. */
  data(bytes: Uint8Array, isEncoded?: boolean): void
  end(trailers?: HeaderPairs): void
  fail(error: unknown): void
  /** An answer that arrived at once, if a door can deliver it more cheaply than in parts. */
  whole?(status: number, headers: HeaderPairs, body: string | Uint8Array, url?: string): void
  /** Replaying: cuts the request's body to what was sent, if a door can be answered early. */
  cutBody?(): void
}

/** An HTTP exchange that is being recorded. Each method writes its row before the agent sees the event. */
export interface CapturedExchange extends AnswerSink {
  /** The whole request body, once it is known, and the headers if they changed since the start; rows after the call wait for it. */
  requestBody(body: Uint8Array | string | undefined, headers?: HeaderPairs): void
  /** @param isDecoded Whether the body's pieces are decoded although the headers name an encoding. Default: false. */
  head(status: number, headers: HeaderPairs, url?: string, isDecoded?: boolean): void
  /** The agent stopped the exchange: it aborted the call or stopped reading. */
  stop(reason: unknown): void
}

/** An HTTP exchange that is being answered from the trace. */
export interface AnsweredExchange {
  /** The agent stopped the exchange: nothing more is delivered. */
  stop(): void
  /** Starts a limit that its connection keeps, in milliseconds: what came of it is in the trace, not its firing. Absent: it has none. */
  limitIdle?(owner: number, delay: number, fire: () => void): RunTimer
}

/** A timer of the run. */
export interface RunTimer {
  cancel(): void
  /** Starts its delay anew. */
  refresh(): void
  /** Whether it keeps the process alive. */
  reference(keeps: boolean): void
  readonly active: boolean
}

/** A checkpoint that a run goes on from. */
export interface ResumePoint {
  readonly checkpoint: string
  /** The agent's state there, a copy. */
  readonly state: unknown
  /** The last step that had been called. */
  readonly step: number
}

/** Files of a run, with what is known of them beforehand. */
export interface KnownFiles extends RecordedFiles {
  /** Where the links lead that the recorded run read. */
  readonly links?: ReadonlyMap<string, string>
}

/** What every active run offers to annotations and to boundary doors. Numbers are step numbers of this execution. */
interface ActiveRunBase {
  readonly id: string
  readonly traceId: string
  /** Where the run goes on from, if it does not start at its beginning. */
  readonly resumedFrom?: (() => ResumePoint) | undefined
  /** Once closed, what still happens in its context counts as outside. */
  readonly closed: boolean
  /** Which files are recorded, or answered. Absent: none. */
  readonly files?: KnownFiles | undefined
  /** Whether HTTP to this URL is neither recorded nor compared: telemetry. */
  mutes(url: string): boolean
  flag(reason: string): void
  note(what: string, where: string): void
  checkpoint(owner: number, name: string, state: unknown): void
  /** Sets how the agent's state is read for checkpoints. */
  readState(read: () => unknown): void
  /** Makes a function call a step; `invoke` runs the function with the step as owner of what happens in it. */
  callFunction(call: FunctionCall, invoke: Invoke): unknown
  /** Milliseconds since the epoch, whole. */
  readClock(owner: number, real: () => number): number
  /** Microseconds since the process started, whole. */
  readMonotonic(owner: number, real: () => number): number
  readRandom(owner: number, real: () => number): number
  readUuid(owner: number, real: () => string): string
  readBytes(owner: number, size: number, real: () => Uint8Array): Uint8Array
  /** What the machine or the process says of itself. @param name The function that tells it: `os.hostname`. */
  readFact(owner: number, name: string, real: () => unknown): unknown
  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer
  /** The turns of the event loop that its code asks for. */
  readonly turns: AgentTurns
}

/** A run that is being recorded. */
export interface RecordedRun extends ActiveRunBase {
  readonly mode: 'record'
  /** What the run leaves behind. Its recording waits for what is open until the release is called: a file that it writes. */
  readonly left?: { opens(): () => void }
  /** Makes a real HTTP exchange a step. */
  captureExchange(start: ExchangeStart): CapturedExchange
  /** Makes a real child process a step. */
  captureProcess(start: ProcessStart): CapturedProcess
  /** Makes a real connection a step. */
  captureConnection(start: ConnectionStart): ConnectionSink
  /** The run uses a session that was opened like this, by itself or before it. */
  preamble(preamble: Preamble): void
  /** A message of a session reaches the run: one that answers nothing. */
  signal(name: string, value: unknown): void
}

/** A run that is answered from a trace. */
export interface AnsweredRun extends ActiveRunBase {
  readonly mode: 'replay'
  /** The recorded environment variables with their values; null if one was not set. Only the run itself sees what it writes to them. */
  readonly environment: Map<string, string | null>
  /** The default locale of the recording. */
  readonly locale: string
  /** Makes an HTTP exchange that is never sent a step: its answer goes to `sink`, in the recorded order. */
  answerExchange(start: ExchangeStart, body: RequestBody, sink: AnswerSink): AnsweredExchange
  /** Makes a child process that is never started a step: what it does goes to `sink`, in the recorded order. */
  answerProcess(start: ProcessStart, sink: ProcessSink): void
  /** Makes a connection that is never opened a step: what arrives over it goes to `sink`, in the recorded order. */
  answerConnection(start: ConnectionStart, sink: ConnectionSink): void
  readonly recorded: RecordedSteps
  /**
   * The agent has begun a message, which may go on. Where nothing else happens, `cut` ends it. Until the release is called.
   */
  writes(cut: () => void): () => void
  readonly sessions: AnsweredSessions
  /** Milliseconds since the epoch, by the replay's own clock. It is no draw. */
  now(): number
  /** A contact that cannot be answered. Returns the error to refuse it with. */
  refuseContact(owner: number, door: string, host: string): Error
  readonly live: LiveContacts
  /** In a fork: the file that stands in for the databases of a driver. */
  sandboxFile(driver: string): SandboxFile | undefined
  /** The replay is over, whatever the agent does: pending calls never settle. */
  readonly ended: boolean
  /** The run has work of its own in progress (an answer, a live contact): until the release is called, it is not stuck. */
  busy(): () => void
  /** The same for work of the agent's own: what follows on it may come in any order. The release is called once. */
  works(): () => void
  readonly opening: AnsweredConnections
}

/** The connections that a replayed run opens itself. */
export interface AnsweredConnections {
  /** Until the release is called the run works, and nothing recorded reaches it. */
  hold(): () => void
  /** A connection waits for its place. @param pass Opens it at once. @returns To be called when it has come. */
  wait(pass: () => void): () => void
}

/** A file that stands in for the databases of a driver, in a fork. */
export interface SandboxFile {
  readonly path: string
  /** The connections to it, by those of the agent. Whoever gave the file closes them. */
  readonly connections: Map<object, { exec(sql: string): unknown; close(): unknown }>
}

/** The live contacts of a replay. */
export interface LiveContacts {
  /** Whether there are none. */
  readonly isNone: boolean
  /** Whether a host, with its port, is called for real. */
  includes(host: string): boolean
  /** A contact is made over HTTP: until the release is called the run waits for it. */
  start(): () => void
  /** A contact is made whose end is unknown. */
  note(): void
}

/** The recorded steps of a replay. */
export interface RecordedSteps {
  /** Whether the next step of this name that no call has taken has this text as its input. */
  isNext(name: string, input: unknown): boolean
  /**
   * The first step of a name whose input has these fields: for what has to be known before its call is made. A field that is undefined has to be
   * absent.
   *
   * @param which Whether it may be a step that a call has taken.
   * @param isReserved Whether a step, by its number, is passed over. Default: none is.
   */
  find(
    name: string,
    fields: Readonly<Record<string, unknown>>,
    which: 'untaken' | 'any',
    isReserved?: (step: number) => boolean,
  ): RecordedAnswer | undefined
}

/** A recorded step, as it was called and answered. */
export interface RecordedAnswer {
  readonly step: number
  readonly input: unknown
  /** A copy. Undefined if it failed, or never settled. */
  readonly output: unknown
  readonly hasFailed: boolean
}

/** A request body, available now or once it has been read; undefined if there is none. */
export type RequestBody = Uint8Array | string | undefined | Promise<Uint8Array | undefined>

/** The run that an agent's code runs in. */
export type ActiveRun = RecordedRun | AnsweredRun
