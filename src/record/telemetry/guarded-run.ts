import { bindScope, runOutside } from '../../run/scope.ts'
import type { EndedRun, RunTelemetry, StartedStep, Telemetry, ToldDivergence } from './telemetry.ts'
import type { TelemetryEvent } from './telemetry-events.ts'

/** Notified of each failure of telemetry. */
export type OnFailure = (error: unknown) => void

/** Returns the id of the active trace; undefined if there is none or telemetry is not set. Never throws. */
export function activeTraceId(telemetry: Telemetry | undefined, onFailure: OnFailure): string | undefined {
  return telemetry && guard(() => telemetry.activeTraceId(), onFailure)
}

/** Begins the telemetry of a run; undefined if telemetry is not set. Never throws, and neither does the returned object. */
export function beginTelemetry(telemetry: Telemetry | undefined, agent: string, onFailure: OnFailure): RunTelemetry | undefined {
  return telemetry && guard(() => new GuardedRun(telemetry.begin(agent), onFailure), onFailure)
}

/** Returns the result of a telemetry call, or undefined after reporting its failure. Its draws and calls belong to no trace. */
function guard<Result>(tell: () => Result, onFailure: OnFailure): Result | undefined {
  try {
    return runOutside(tell)
  } catch (error) {
    onFailure(error)
    return undefined
  }
}

/** The telemetry of a run, whose failures do not reach the run. */
class GuardedRun implements RunTelemetry {
  readonly traceId: string | undefined
  readonly isHeard: boolean
  readonly #inner: RunTelemetry
  readonly #onFailure: OnFailure

  constructor(inner: RunTelemetry, onFailure: OnFailure) {
    this.#inner = inner
    this.#onFailure = onFailure
    this.traceId = inner.traceId
    this.isHeard = inner.isHeard
  }

  isOf(uri: string, startedAt: number): void {
    this.#attempt(() => this.#inner.isOf(uri, startedAt))
  }

  inRun<Result>(body: () => Result): Result {
    return this.#around(body, (called) => this.#inner.inRun(called))
  }

  inStep<Result>(step: StartedStep, body: () => Result): Result {
    return this.#around(body, (called) => this.#inner.inStep(step, called))
  }

  startsExchange(step: number, owner: number): void {
    this.#attempt(() => this.#inner.startsExchange(step, owner))
  }

  tell(events: readonly TelemetryEvent[]): void {
    for (const event of events) if (event.kind === 'failure') this.#onFailure(event.problem)
    this.#attempt(() => this.#inner.tell(events))
  }

  diverges(divergence: ToldDivergence): void {
    this.#attempt(() => this.#inner.diverges(divergence))
  }

  end(ended: EndedRun): void {
    this.#attempt(() => this.#inner.end(ended))
  }

  #attempt(tell: () => void): void {
    guard(tell, this.#onFailure)
  }

  /** Calls `body` once, whatever telemetry around it does, and returns or throws what it did. */
  #around<Result>(body: () => Result, tell: (called: () => void) => void): Result {
    let outcome: { readonly output: Result } | { readonly error: unknown } | undefined
    const called = bindScope(() => {
      outcome ??= settle(body)
    })
    this.#attempt(() => tell(called))
    outcome ??= settle(body)
    if ('error' in outcome) throw outcome.error
    return outcome.output
  }
}

function settle<Result>(body: () => Result): { readonly output: Result } | { readonly error: unknown } {
  try {
    return { output: body() }
  } catch (error) {
    return { error }
  }
}
