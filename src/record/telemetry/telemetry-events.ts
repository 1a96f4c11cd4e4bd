import type { NormalAnswer, NormalRequest } from '../../models/dialect.ts'
import type { Step } from '../../trace/trace.ts'

/** What is told of a run while it is recorded: made of the rows that are kept, so that nothing is told that is not redacted. */
export type TelemetryEvent = RunEvent | StepEvent | EndEvent | FailureEvent

/** What the program said of its run. */
export interface RunEvent {
  readonly kind: 'run'
  readonly agentVersion?: string
  readonly tags: Readonly<Record<string, string>>
}

/** A step that settled, or that was in flight when the run ended: then without `settledAt`. */
export interface StepEvent extends Pick<Step, 'step' | 'owner' | 'boundary' | 'name' | 'at' | 'settledAt'> {
  readonly kind: 'step'
  readonly error?: EventError
  /** Of a model call or a plain HTTP call. */
  readonly http?: ExchangeEvent
  /** Of a model call. */
  readonly model?: ModelCallEvent
  /** Of a tool that the model asked for: the id that it gave the call. */
  readonly toolCallId?: string
  /** Of a tool, where content is told: arguments and result as JSON. */
  readonly content?: { readonly input?: string; readonly output?: string }
}

/** Why something failed. */
export interface EventError {
  /** The word of the provider or of the library for it, the status of an answer, or the error's name. */
  readonly type: string
  /** Only where content is told. */
  readonly message?: string
}

/** An HTTP exchange. */
export interface ExchangeEvent {
  readonly method: string
  readonly url: string
  readonly status?: number
}

/** A model call. */
export interface ModelCallEvent {
  readonly request: Pick<NormalRequest, 'provider' | 'model' | 'stream'>
  /** Absent where nothing of it arrived. */
  readonly answer?: Pick<NormalAnswer, 'model' | 'stopReason' | 'usage'>
  /** When the first piece of the answer arrived, in milliseconds since the run started. */
  readonly firstAt?: number
  /** All of both, where content is told. */
  readonly content?: { readonly request: NormalRequest; readonly answer?: NormalAnswer }
}

/** The run has ended. */
export interface EndEvent {
  readonly kind: 'end'
  /** Milliseconds since the run started. */
  readonly at: number
  readonly error?: EventError
}

/** Nothing more is told of the run: what tells of it failed. */
export interface FailureEvent {
  readonly kind: 'failure'
  readonly problem: string
}

/** Takes what is told of a run, in order. */
export type OnTelemetryEvents = (events: readonly TelemetryEvent[]) => void
