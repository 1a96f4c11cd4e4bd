import { bindScope, runOutside } from '../../run/scope.ts'
import type { EndedRun, RunTelemetry, StartedStep, Telemetry, ToldDivergence } from './telemetry.ts'
import type { TelemetryEvent } from './telemetry-events.ts'

/** Told of what failed in telling. */
export type OnFailure = (error: unknown) => void

/** The id of the trace that is active; undefined where none is, or nobody is told. Never throws. */
export function activeTraceId(telemetry: Telemetry | undefined, onFailure: OnFailure): string | undefined {
  return telemetry && guard(() => telemetry.activeTraceId(), onFailure)
}

/** Begins to tell of a run; undefined where nobody is told. Never throws, and nor does what it gives. */
export function beginTelemetry(telemetry: Telemetry | undefined, agent: string, onFailure: OnFailure): RunTelemetry | undefined {
  return telemetry && guard(() => new GuardedRun(telemetry.begin(agent), onFailure), onFailure)
}

/** What telling gives; undefined where it fails, which is told. What it draws and calls belongs to nobody's trace. */
function guard<Result>(tell: () => Result, onFailure: OnFailure): Result | undefined {
  try {
    return runOutside(tell)
  } catch (error) {
    onFailure(error)
    return undefined
  }
}

/** Telling of a run, which may fail without the run noticing. */
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

  /** Calls `body` once, whatever becomes of what is told around it, and gives or throws what it did. */
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
