import type { NormalAnswer, NormalRequest } from '../../models/dialect.ts'
import type { Boundary } from '../../trace/boundary.ts'

/** What is told of a run while it is recorded: made of the rows that are kept, so that nothing is told that is not redacted. */
export type Told = ToldRun | ToldStep | ToldEnd | ToldFailure

/** What the program said of its run. */
export interface ToldRun {
  readonly kind: 'run'
  readonly agentVersion?: string
  readonly tags: Readonly<Record<string, string>>
}

/** A step that settled, or that was in flight when the run ended: then without `settledAt`. */
export interface ToldStep {
  readonly kind: 'step'
  readonly step: number
  readonly owner: number
  readonly boundary: Boundary
  readonly name: string
  /** Milliseconds since the run started. */
  readonly at: number
  readonly settledAt?: number
  readonly error?: ToldError
  /** Of a model call or a plain HTTP call. */
  readonly http?: ToldExchange
  /** Of a model call. */
  readonly model?: ToldModelCall
  /** Of a tool that the model asked for: the id that it gave the call. */
  readonly toolCallId?: string
  /** Of a tool, where content is told: arguments and result as JSON. */
  readonly content?: { readonly input?: string; readonly output?: string }
}

/** Why something failed. */
export interface ToldError {
  /** The word of the provider or of the library for it, the status of an answer, or the error's name. */
  readonly type: string
  /** Only where content is told. */
  readonly message?: string
}

/** An HTTP exchange. */
export interface ToldExchange {
  readonly method: string
  readonly url: string
  readonly status?: number
}

/** A model call. */
export interface ToldModelCall {
  readonly request: Pick<NormalRequest, 'provider' | 'model' | 'stream'>
  /** Absent where nothing of it arrived. */
  readonly answer?: Pick<NormalAnswer, 'model' | 'stopReason' | 'usage'>
  /** When the first piece of the answer arrived, in milliseconds since the run started. */
  readonly firstAt?: number
  /** All of both, where content is told. */
  readonly content?: { readonly request: NormalRequest; readonly answer?: NormalAnswer }
}

/** The run has ended. */
export interface ToldEnd {
  readonly kind: 'end'
  /** Milliseconds since the run started. */
  readonly at: number
  readonly error?: ToldError
}

/** Nothing more is told of the run: what tells of it failed. */
export interface ToldFailure {
  readonly kind: 'failure'
  readonly problem: string
}

/** Takes what is told of a run, in order. */
export type OnTold = (told: readonly Told[]) => void
