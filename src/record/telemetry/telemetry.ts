import type { Step } from '../../trace/trace.ts'
import type { EventBuilder } from './event-builder.ts'
import type { TelemetryEvent } from './telemetry-events.ts'

/** Reports runs to another system, in its own terms. `otel()` of `goldenrun/otel` creates one; what it does with the events is up to it. */
export interface Telemetry {
  /** Whether events contain prompts, answers, arguments and results. */
  readonly content: boolean
  /** Creates the builder that reads a run's rows when the run is kept on the agent's own thread. */
  createEventBuilder(): EventBuilder
  /** Returns the id of the active trace, to which a run that begins now belongs. Undefined if there is none. */
  activeTraceId(): string | undefined
  /** Called when a run of an agent begins, in the current context. */
  begin(agent: string): RunTelemetry
}

/** The telemetry of one run. */
export interface RunTelemetry {
  /** The id of the trace that the run belongs to: 32 hexadecimal digits. Undefined if there is none. */
  readonly traceId: string | undefined
  /** Whether the events of the run's steps have a receiver. */
  readonly isHeard: boolean
  /**
   * Called with the recording or golden of the run.
   *
   * @param uri Its location.
   * @param startedAt Milliseconds since the epoch: the times of the events count from here.
   */
  isOf(uri: string, startedAt: number): void
  /** Runs the agent, so that its own telemetry is attributed to this run. */
  inRun<Result>(body: () => Result): Result
  /** Called when a tool or an external is called. @param body The call itself. */
  inStep<Result>(step: StartedStep, body: () => Result): Result
  /**
   * Called when an HTTP call goes out: its events belong to the agent's current context.
   *
   * @param owner The step whose body makes the call, 0 for the run itself.
   */
  startsExchange(step: number, owner: number): void
  /** Receives events, built from the rows that are kept. */
  tell(events: readonly TelemetryEvent[]): void
  /** Called when a replay of the run differs from its trace. */
  diverges(divergence: ToldDivergence): void
  /** Called last. */
  end(ended: EndedRun): void
}

/** A tool or an external that is called. */
export type StartedStep = Pick<Step, 'step' | 'owner' | 'boundary' | 'name' | 'at'>

/** The reported part of a divergence. */
export interface ToldDivergence {
  readonly cause: string
  /** The recorded step at which it differs, or after which. */
  readonly step: number
  readonly name?: string
  /** The place in the agent's code. */
  readonly site?: { readonly file: string; readonly line: number; readonly column: number }
}

/** The outcome of a run. */
export interface EndedRun {
  /** False if sampling left the recording out, or it could not be written. */
  readonly isKept: boolean
}
