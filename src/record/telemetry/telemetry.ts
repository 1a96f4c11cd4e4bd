import type { Step } from '../../trace/trace.ts'
import type { EventBuilder } from './event-builder.ts'
import type { TelemetryEvent } from './telemetry-events.ts'

/** Tells another system of runs, in its own terms. `otel()` of `goldenrun/otel` makes one; what it does when it is told is its own matter. */
export interface Telemetry {
  /** Whether what was said and done is told, too, and not only that it was. */
  readonly content: boolean
  /** Makes what reads a run's rows where a run is kept on the agent's own thread. */
  createEventBuilder(): EventBuilder
  /** The id of the trace that is active: that of a run which begins now. Undefined where none is. */
  activeTraceId(): string | undefined
  /** A run of an agent begins, in the context that is current. */
  begin(agent: string): RunTelemetry
}

/** Tells of one run. */
export interface RunTelemetry {
  /** The id of the trace that the run belongs to: 32 hexadecimal digits. Undefined where there is none. */
  readonly traceId: string | undefined
  /** Whether somebody listens to what is told of its steps. */
  readonly isHeard: boolean
  /**
   * The run is that of a recording or a golden.
   *
   * @param uri Where that lies.
   * @param startedAt Milliseconds since the epoch: what is told counts from here.
   */
  isOf(uri: string, startedAt: number): void
  /** Runs the agent, so that what it tells by itself is told of this run. */
  inRun<Result>(body: () => Result): Result
  /** A tool or an external is called: `body` is what it does. */
  inStep<Result>(step: StartedStep, body: () => Result): Result
  /**
   * An HTTP call goes out: what is told of it belongs where the agent is now.
   *
   * @param owner The step in whose body it is made, 0 for the run itself.
   */
  startsExchange(step: number, owner: number): void
  /** Of what is kept of the run. */
  tell(events: readonly TelemetryEvent[]): void
  /** A replay of the run differs from its trace. */
  diverges(divergence: ToldDivergence): void
  /** Nothing follows. */
  end(ended: EndedRun): void
}

/** A tool or an external that is called. */
export type StartedStep = Pick<Step, 'step' | 'owner' | 'boundary' | 'name' | 'at'>

/** What is told of a place where a replay differs. */
export interface ToldDivergence {
  readonly cause: string
  /** The recorded step at which it differs, or after which. */
  readonly step: number
  readonly name?: string
  /** Where in the agent's code. */
  readonly site?: { readonly file: string; readonly line: number; readonly column: number }
}

/** What came of a run. */
export interface EndedRun {
  /** False where sampling left the recording out, or it could not be written. */
  readonly isKept: boolean
}
