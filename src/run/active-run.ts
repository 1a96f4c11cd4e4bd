import type { Boundary, Effect } from '../trace/boundary.ts'
import type { HeaderPairs } from '../trace/rows.ts'

/** A tool or external call as its wrapper saw it. */
export interface FunctionCall {
  /** The step in whose body it was made, 0 for the run itself. */
  readonly owner: number
  readonly boundary: Extract<Boundary, 'tool' | 'external'>
  readonly name: string
  readonly effect?: Effect
  readonly idempotencyKey?: string
  /** A tool's arguments: the single argument itself, or the list of them. */
  readonly input: unknown
  /** Error classes that a recorded error may be thrown as again. */
  readonly errors: readonly ErrorClass[]
  /** Where what it gives may be more than data. */
  readonly result?: ResultForm
}

/** How a result that may be more than data is written down, and made again. */
export interface ResultForm {
  /** Gives what a trace keeps of what the agent is given. */
  keep(given: unknown): unknown
  /** Gives what the agent is given again of what a trace has. Throws where nothing of it was kept. */
  revive(kept: unknown): unknown
}

/** The class of an error that a tool may throw. */
export type ErrorClass = abstract new (...args: never[]) => Error

/** An HTTP request as it starts: what is known before its body. */
export interface ExchangeStart {
  /** The step in whose body it was made, 0 for the run itself. */
  readonly owner: number
  readonly method: string
  readonly url: string
  /** A function where they may still change until the body has been written. */
  readonly headers: HeaderPairs | (() => HeaderPairs)
  /** Where its body is at hand. Where it is not, `requestBody` is called. */
  readonly ready?: { readonly body: Uint8Array | string | undefined }
}

/**
 * Where an HTTP answer goes, part by part: to the trace when recording, to the agent when replaying. Replaying, a body is given decoded, whatever
 * its `content-encoding`: the door encodes it for a client that wants it so.
 */
export interface AnswerSink {
  /** @param url Where the answer came from, when redirects led elsewhere than the call went. */
  head(status: number, headers: HeaderPairs, url?: string): void
  /** @param isEncoded Replaying: whether the bytes are as they came, being in no such coding as the head says. */
  data(bytes: Uint8Array, isEncoded?: boolean): void
  end(trailers?: HeaderPairs): void
  fail(error: unknown): void
  /** An answer that arrived at once, where a door can hand it out more cheaply than in parts. */
  whole?(status: number, headers: HeaderPairs, body: string | Uint8Array, url?: string): void
  /** Replaying: the request's body is what was sent of it, where a door can be answered before all is. */
  cutBody?(): void
}

/** An HTTP exchange that is being recorded. Each call writes its row before the agent sees what it tells of. */
export interface CapturedExchange extends AnswerSink {
  readonly step: number
  /** The whole request body, once it is known, and the headers where they changed since the start; rows that follow the call wait for it. */
  requestBody(body: Uint8Array | string | undefined, headers?: HeaderPairs): void
  /** @param isDecoded Whether the body's pieces come decoded, though the headers name an encoding. Default: false. */
  head(status: number, headers: HeaderPairs, url?: string, isDecoded?: boolean): void
  /** The agent stopped the exchange: it aborted the call or stopped reading. */
  stop(reason: unknown): void
}

/** An HTTP exchange that is being answered from the trace. */
export interface AnsweredExchange {
  /** The agent stopped the exchange: nothing more is delivered. */
  stop(): void
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

/** What every active run offers to the annotations and to the doors of the boundaries. Numbers are step numbers of this very execution. */
interface ActiveRunBase {
  readonly id: string
  readonly traceId: string
  /** After it, what still happens in its context counts as outside. */
  readonly closed: boolean
  /** Whether HTTP to this URL is neither recorded nor compared: telemetry. */
  mutes(url: string): boolean
  flag(reason: string): void
  note(what: string, where: string): void
  checkpoint(owner: number, name: string, state: unknown): void
  /** The agent says how its state is read, where checkpoints are taken of it. */
  readState(read: () => unknown): void
  /** Makes a step of a function call; `invoke` runs the function with the step as owner of what happens in it. */
  callFunction(call: FunctionCall, invoke: () => unknown): unknown
  /** Milliseconds since the epoch, whole. */
  readClock(owner: number, real: () => number): number
  /** Microseconds since the process started, whole. */
  readMonotonic(owner: number, real: () => number): number
  readRandom(owner: number, real: () => number): number
  readUuid(owner: number, real: () => string): string
  readBytes(owner: number, size: number, real: () => Uint8Array): Uint8Array
  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer
}

/** A run that is being recorded. */
export interface RecordedRun extends ActiveRunBase {
  readonly mode: 'record'
  /** Makes a step of an HTTP exchange that goes out to the world. */
  captureExchange(start: ExchangeStart): CapturedExchange
}

/** A run that is answered from a trace. */
export interface AnsweredRun extends ActiveRunBase {
  readonly mode: 'replay'
  /** The environment variables that were recorded, with their values; null where one was not set. What the run writes to them, it alone sees. */
  readonly environment: Map<string, string | null>
  /** The default locale of the recording. */
  readonly locale: string
  /** Makes a step of an HTTP exchange that never leaves: its answer goes to `sink`, in the recorded order. */
  answerExchange(start: ExchangeStart, body: RequestBody, sink: AnswerSink): AnsweredExchange
  /** A contact with the world that cannot be answered. Gives the error to refuse it with. */
  refuseContact(owner: number, door: string, host: string): Error
  readonly live: LiveContacts
  /** The replay is over, whatever the agent does: what is still under way never settles. */
  readonly ended: boolean
  /** The run has work of its own under way (an answer, a contact that stays live): until the release is called it is not stuck. */
  busy(): () => void
  /** The run waits for the next turn of the event loop, until the release is called. A few such waits are work, waiting so for ever is not. */
  waitsForTurn(): () => void
}

/** What a replay makes for real. */
export interface LiveContacts {
  /** Whether no host is. */
  readonly isNone: boolean
  /** Whether a host, with its port, is called for real. */
  includes(host: string): boolean
  /** A contact is made over HTTP: until the release is called the run waits for it. */
  start(): () => void
  /** A contact is made that does not tell of its end. */
  note(): void
}

/** A request body, at once or when it has been read; undefined when there is none. */
export type RequestBody = Uint8Array | string | undefined | Promise<Uint8Array | undefined>

/** The run that an agent's code runs in. */
export type ActiveRun = RecordedRun | AnsweredRun
