import type { JudgedRequest } from '../http/telemetry/judge-telemetry.ts'
import type { Boundary } from '../trace/boundary.ts'
import type { AgentTurns } from './agent-turns.ts'
import type { AnsweredSessions, Preamble } from './sessions.ts'
import type { ConnectionSink, ConnectionStart } from './connections.ts'
import type { CapturedProcess, ProcessSink, ProcessStart } from './processes.ts'
import type { AnswerHead } from '../http/answer-head.ts'
import type { ConnectionState, HeaderPairs, UnfollowedRedirect } from '../trace/http-facts.ts'
import type { CallRow, Undecoded } from '../trace/rows.ts'
import type { RecordedFiles } from '../trace/run-row.ts'

/** A tool or external call as its wrapper saw it. */
export interface FunctionCall extends Pick<CallRow, 'owner' | 'name' | 'effect' | 'idempotencyKey' | 'limit'> {
  readonly boundary: Extract<Boundary, 'tool' | 'external'>
  /** The package name of the database driver that makes the call. */
  readonly driver?: string
  /** A tool's arguments: the single argument itself, or the list of them. */
  readonly input: unknown
  /** Error classes that a replay may throw recorded errors as. */
  readonly errors: readonly ErrorClass[]
  /** Set if the result may contain more than data. */
  readonly result?: ResultForm
  /** The input is the function's single argument, or the list of its arguments, so a fork may call it with a different input. */
  readonly takes?: 'one' | 'list'
  /** The function is synchronous: the agent does nothing else before it has the answer. */
  readonly atOnce?: true
}

/** Runs a function. @param args Arguments that replace the original ones, if the call is plain. */
export type Invoke = (args?: readonly unknown[]) => unknown

/** How a result that may contain more than data is recorded and revived. */
export interface ResultForm {
  /** Returns the form of a result that the trace keeps. */
  keep(given: unknown): unknown
  /** Returns the agent's result from the kept form. Throws if nothing was kept. */
  revive(kept: unknown): unknown
}

/** The class of an error that a tool may throw. */
export type ErrorClass = abstract new (...args: never[]) => Error

/** The start of an HTTP request, before its body is known. If the body is not ready, `requestBody` is called. */
export interface ExchangeStart extends JudgedRequest {
  /** The step in whose body the request was made; 0 for the run itself. */
  readonly owner: number
  /** Set for a fetch that does not follow redirects. */
  readonly redirect?: UnfollowedRedirect
  /** Recording: calls `requestBody` with what has been sent, if the exchange continues before the body ends. */
  readonly cutBody?: () => void
  /** Recording: how long the connection may be idle now, in milliseconds; 0 means no limit. */
  readonly idleLimit?: () => number
  /** Recording: what the client sees of its connection now. */
  readonly connection?: () => ConnectionState | undefined
}

/**
 * Where an HTTP answer goes, part by part: to the trace when recording, to the agent when replaying. When replaying, a body is passed
 * decoded, whatever its `content-encoding`: the door encodes it for clients that decode it themselves.
 */
export interface AnswerSink {
  /** The head of the answer, or of an informational response before it. */
  head(head: AnswerHead): void
  /** @param encoded Replaying: set if the bytes are passed as received, because they are not in the coding of the head. */
  data(bytes: Uint8Array, encoded?: Undecoded): void
  end(trailers?: HeaderPairs): void
  fail(error: unknown): void
  /** Delivers an answer that arrived at once, if the door can do that more cheaply than in parts. */
  whole?(head: AnswerHead, body: string | Uint8Array): void
  /** Replaying: called before the head or the failure, if the client saw something of its connection. */
  connection?(state: ConnectionState): void
  /** Replaying: cuts the request's body to what was sent, if a door can be answered early. */
  cutBody?(): void
}

/** An HTTP exchange that is being recorded. Each method writes its row before the agent sees the event. */
export interface CapturedExchange extends AnswerSink {
  /**
   * The request body, once it is known, and the headers if they changed since the start; rows after the call wait for it.
   *
   * @param isPart Whether the exchange goes on before the rest of the body is sent. Default: false.
   */
  requestBody(body: Uint8Array | string | undefined, headers?: HeaderPairs, isPart?: boolean): void
  /** @param isDecoded Whether the body's pieces are decoded although the headers name an encoding. Default: false. */
  head(head: AnswerHead, isDecoded?: boolean): void
  /** The agent stopped the exchange: it aborted the call or stopped reading. */
  stop(reason: unknown): void
}

/** An HTTP exchange that is being answered from the trace. */
export interface AnsweredExchange {
  /** The agent stopped the exchange; nothing more is delivered. */
  stop(): void
  /** Starts an idle limit of the connection, in milliseconds. The trace has its consequence, not its firing. Absent: there is no limit. */
  limitIdle?(owner: number, delay: number, fire: () => void): RunTimer
}

/** A timer of the run. */
export interface RunTimer {
  cancel(): void
  /** Restarts the delay. */
  refresh(): void
  /** Sets whether the timer keeps the process alive. */
  reference(keeps: boolean): void
  readonly active: boolean
}

/** A checkpoint from which a run continues. */
export interface ResumePoint {
  readonly checkpoint: string
  /** A copy of the agent's state at the checkpoint. */
  readonly state: unknown
  /** The last step called before the checkpoint. */
  readonly step: number
}

/** What every active run offers to annotations and to boundary doors. Numbers are step numbers of this execution. */
interface ActiveRunBase {
  readonly id: string
  readonly traceId: string
  /** Where the run continues, if it does not start at the beginning. */
  readonly resumedFrom?: (() => ResumePoint) | undefined
  /** Once the run is closed, anything that still happens in its context counts as outside. */
  readonly closed: boolean
  /** Which files are recorded. Absent: none. */
  readonly files?: RecordedFiles | undefined
  /** Returns whether it is certain that a request is neither recorded nor compared, as for telemetry. It may depend on a body that is not known yet. */
  mutes(request: JudgedRequest): boolean
  flag(reason: string): void
  note(what: string, where: string): void
  checkpoint(owner: number, name: string, state: unknown): void
  /** Sets how the agent's state is read for checkpoints. */
  readState(read: () => unknown): void
  /** Makes a function call a step; `invoke` runs the function, with the step as the owner of what happens in it. */
  callFunction(call: FunctionCall, invoke: Invoke): unknown
  /** Returns whole milliseconds since the epoch. */
  readClock(owner: number, real: () => number): number
  /** Returns whole microseconds since the process started. */
  readMonotonic(owner: number, real: () => number): number
  readRandom(owner: number, real: () => number): number
  readUuid(owner: number, real: () => string): string
  readBytes(owner: number, size: number, real: () => Uint8Array): Uint8Array
  /** Reads a fact about the machine or the process. @param name The function that returns it, such as `os.hostname`. */
  readFact(owner: number, name: string, real: () => unknown): unknown
  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer
  /** The turns of the event loop that the agent's code requests. */
  readonly turns: AgentTurns
}

/** A run that is being recorded. */
export interface RecordedRun extends ActiveRunBase {
  readonly mode: 'record'
  /** Work that outlives the run, such as a file being written. The recording waits until each release has been called. */
  readonly left?: { opens(): () => void }
  /** Counts a request that is not recorded. */
  countMuted(): void
  /** Makes a real HTTP exchange a step, unless its body shows that it is muted. */
  captureExchange(start: ExchangeStart): CapturedExchange
  /** Makes a real child process a step. */
  captureProcess(start: ProcessStart): CapturedProcess
  /** Makes a real connection a step. */
  captureConnection(start: ConnectionStart): ConnectionSink
  /** Records how a session that the run uses was opened, whether by this run or earlier. */
  preamble(preamble: Preamble): void
  /** Records a message of a session that reaches the run and answers nothing. */
  signal(name: string, value: unknown): void
}

/** A run that is answered from a trace. */
export interface AnsweredRun extends ActiveRunBase {
  readonly mode: 'replay'
  /** The recorded environment variables; null for one that was not set. Only the run sees its own changes. */
  readonly environment: Map<string, string | null>
  /** The default locale of the recording. */
  readonly locale: string
  /** Makes an HTTP exchange a step without sending it: its answer goes to `sink`, in the recorded order. */
  answerExchange(start: ExchangeStart, body: RequestBody, sink: AnswerSink): AnsweredExchange
  /** Makes a child process a step without starting it: its events go to `sink`, in the recorded order. */
  answerProcess(start: ProcessStart, sink: ProcessSink): void
  /** Makes a connection a step without opening it: the messages that arrive go to `sink`, in the recorded order. */
  answerConnection(start: ConnectionStart, sink: ConnectionSink): void
  readonly recorded: RecordedSteps
  /** The agent has begun a message that may continue. If nothing else happens before the release is called, `cut` ends the message. */
  writes(cut: () => void): () => void
  readonly sessions: AnsweredSessions
  /** Returns milliseconds since the epoch, by the replay's own clock. Not a draw. */
  now(): number
  /** Notes a contact that cannot be answered. Returns the error to refuse it with. */
  refuseContact(owner: number, door: string, host: string): Error
  readonly live: LiveContacts
  /** In a fork: returns the file that stands in for a driver's databases. */
  sandboxFile(driver: string): SandboxFile | undefined
  /** The replay is over, whatever the agent still does; pending calls never settle. */
  readonly ended: boolean
  /** The run itself is working (on an answer or a live contact). It does not count as stuck until the release is called. */
  busy(): () => void
  /** The same for the agent's own work, whose consequences may come in any order. The release is called once. */
  works(): () => void
  readonly opening: AnsweredConnections
}

/** The connections that a replayed run opens itself. */
export interface AnsweredConnections {
  /** Until the release is called, the run counts as working, and nothing recorded reaches it. */
  hold(): () => void
  /** Makes a connection wait for its place. @param pass Opens it at once. @returns A function to call when its place has come. */
  wait(pass: () => void): () => void
}

/** A file that stands in for the databases of a driver, in a fork. */
export interface SandboxFile {
  readonly path: string
  /** The connections to the file, by the agent's connections. The provider of the file closes them. */
  readonly connections: Map<object, { exec(sql: string): unknown; close(): unknown }>
}

/** The live contacts of a replay. */
export interface LiveContacts {
  /** Whether there are no live contacts. */
  readonly isNone: boolean
  /** Returns whether a host, with its port, is called for real. */
  includes(host: string): boolean
  /** An HTTP contact starts: the run waits for it until the release is called. */
  start(): () => void
  /** A contact starts whose end cannot be observed. */
  note(): void
}

/** The recorded steps of a replay. */
export interface RecordedSteps {
  /** Returns whether the next step of this name that no call has taken has this input. */
  isNext(name: string, input: unknown): boolean
  /**
   * Returns the first step of a name whose input has these fields, for facts that are needed before the call is made. A field that is
   * undefined has to be absent.
   *
   * @param which Whether steps that a call has taken are included.
   * @param isReserved Returns whether to skip a step, by its number. Default: skips none.
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
  /** A copy. Undefined if the step failed or never settled. */
  readonly output: unknown
  readonly hasFailed: boolean
  /** How many bytes of the request's body had been sent, if the exchange went on before the rest was sent. */
  readonly cut: number | undefined
}

/** A request body: available now, or once it has been read; undefined if there is none. */
export type RequestBody = Uint8Array | string | undefined | Promise<Uint8Array | undefined>

/** The run that an agent's code runs in. */
export type ActiveRun = RecordedRun | AnsweredRun
