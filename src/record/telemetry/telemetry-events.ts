import type { NormalAnswer, NormalRequest } from '../../models/dialect.ts'
import type { Step } from '../../trace/trace.ts'

/** An event of a run while it is recorded. Events are made from the rows that are kept, so they contain only redacted data. */
export type TelemetryEvent = RunEvent | StepEvent | EndEvent | FailureEvent

/** The program's own description of its run. */
export interface RunEvent {
  readonly kind: 'run'
  readonly agentVersion?: string
  readonly tags: Readonly<Record<string, string>>
}

/** A step that settled, or that was in flight when the run ended; `settledAt` is then absent. */
export interface StepEvent extends Pick<Step, 'step' | 'owner' | 'boundary' | 'name' | 'at' | 'settledAt'> {
  readonly kind: 'step'
  readonly error?: EventError
  /** Set for a model call and a plain HTTP call. */
  readonly http?: ExchangeEvent
  /** Set for a model call. */
  readonly model?: ModelCallEvent
  /** The id that the model gave the call. Set for a tool that the model requested. */
  readonly toolCallId?: string
  /** The arguments and result of a tool as JSON. Set only with content. */
  readonly content?: { readonly input?: string; readonly output?: string }
}

/** The reason for a failure. */
export interface EventError {
  /** The provider's or library's own error code, the status of an answer, or the error's name. */
  readonly type: string
  /** Set only with content. */
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
  /** Absent if nothing of it arrived. */
  readonly answer?: Pick<NormalAnswer, 'model' | 'stopReason' | 'usage'>
  /** When the first piece of the answer arrived, in milliseconds since the run started. */
  readonly firstAt?: number
  /** The full request and answer. Set only with content. */
  readonly content?: { readonly request: NormalRequest; readonly answer?: NormalAnswer }
}

/** The run has ended. */
export interface EndEvent {
  readonly kind: 'end'
  /** Milliseconds since the run started. */
  readonly at: number
  readonly error?: EventError
}

/** No more events of the run follow: building them failed. */
export interface FailureEvent {
  readonly kind: 'failure'
  readonly problem: string
}

/** Receives the events of a run, in order. */
export type OnTelemetryEvents = (events: readonly TelemetryEvent[]) => void
