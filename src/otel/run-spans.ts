import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { EndedRun, RunTelemetry, StartedStep, ToldDivergence } from '../record/telemetry/telemetry.ts'
import type { EndEvent, EventError, RunEvent, StepEvent, TelemetryEvent } from '../record/telemetry/telemetry-events.ts'
import { attribute } from './attributes.ts'
import { describeStarted, describeStep, providerName } from './describe-span.ts'

/**
 * The spans of one run. The spans of the run, its tools and its externals exist while these run, so spans that the agent makes are nested in them.
 * They are completed and ended when the outcome of each step is reported. Spans of HTTP calls are made at that moment.
 */
export class RunSpans implements RunTelemetry {
  readonly traceId: string | undefined
  readonly isHeard: boolean
  readonly #tracer: Tracer
  readonly #root: Span
  /** The span that was active when the run began. */
  readonly #caller: Span | undefined
  /** The parent context by step: inside the step's span for functions and the run itself (0); for an HTTP call, the context around it. */
  readonly #contexts = new Map<number, Context>()
  /** The spans of tools and externals whose outcome has not been reported yet. */
  readonly #started = new Map<number, Span>()
  readonly #inFlight: Span[] = []
  readonly #providers = new Set<string>()
  readonly #usage = { inputTokens: 0, outputTokens: 0 }
  /** Milliseconds since the epoch. */
  #startedAt = Date.now()
  #endedAt: number | undefined

  constructor(tracer: Tracer, agent: string) {
    const around = context.active()
    this.#tracer = tracer
    this.#caller = trace.getSpan(around)
    const attributes = { [attribute.operation]: 'invoke_agent', [attribute.agentName]: agent }
    const options = { kind: SpanKind.INTERNAL, startTime: this.#startedAt, attributes }
    this.#root = tracer.startSpan(`invoke_agent ${agent}`, options, around)
    this.#enter(0, around, this.#root)
    const own = this.#root.spanContext()
    this.traceId = isSpanContextValid(own) ? own.traceId : undefined
    this.isHeard = this.#root.isRecording()
  }

  isOf(uri: string, startedAt: number): void {
    this.#startedAt = startedAt
    this.#root.setAttribute(attribute.captureUri, uri)
    this.#caller?.setAttribute(attribute.captureUri, uri)
  }

  inRun<Result>(body: () => Result): Result {
    return context.with(this.#contextOf(0), body)
  }

  inStep<Result>(step: StartedStep, body: () => Result): Result {
    if (!this.isHeard) return body()
    const { name, kind, attributes } = describeStarted(step)
    const around = this.#around(step.owner)
    const span = this.#tracer.startSpan(name, { kind, attributes, startTime: this.#startedAt + step.at }, around)
    this.#started.set(step.step, span)
    this.#enter(step.step, around, span)
    return context.with(this.#contextOf(step.step), body)
  }

  startsExchange(step: number, owner: number): void {
    if (this.isHeard) this.#contexts.set(step, this.#around(owner))
  }

  tell(events: readonly TelemetryEvent[]): void {
    for (const event of events) {
      if (event.kind === 'run') this.#tellRun(event)
      else if (event.kind === 'step') this.#tellStep(event)
      else if (event.kind === 'end') this.#tellEnd(event)
    }
  }

  diverges({ cause, step, name, site }: ToldDivergence): void {
    this.#root.addEvent('replay.divergence', {
      [attribute.divergence]: true,
      [attribute.cause]: cause,
      [attribute.step]: step,
      ...(name === undefined ? {} : { [attribute.name]: name }),
      ...(site && { [attribute.file]: site.file, [attribute.line]: site.line, [attribute.column]: site.column }),
    })
  }

  end({ isKept }: EndedRun): void {
    const endedAt = this.#endedAt ?? Date.now()
    for (const span of [...this.#started.values(), ...this.#inFlight]) span.end(endedAt)
    this.#started.clear()
    this.#root.setAttributes(this.#sums())
    if (!isKept) this.#root.setAttribute(attribute.isKept, false)
    this.#root.end(endedAt)
  }

  #tellRun({ agentVersion, tags }: RunEvent): void {
    const conversation = tags['conversation'] ?? tags['session']
    if (agentVersion !== undefined) this.#root.setAttribute(attribute.agentVersion, agentVersion)
    if (conversation !== undefined) this.#root.setAttribute(attribute.conversation, conversation)
  }

  #tellStep(step: StepEvent): void {
    const { name, kind, attributes } = describeStep(step)
    const startTime = this.#startedAt + step.at
    const around = this.#contexts.get(step.step) ?? this.#contextOf(step.owner)
    const started = this.#started.get(step.step)?.setAttributes(attributes)
    const span = started ?? this.#tracer.startSpan(name, { kind, attributes, startTime }, around)
    this.#started.delete(step.step)
    if (step.http !== undefined) this.#contexts.delete(step.step)
    if (step.error !== undefined) fail(span, step.error)
    if (step.model !== undefined) this.#count(step)
    if (step.settledAt === undefined) this.#inFlight.push(span)
    else span.end(this.#startedAt + step.settledAt)
  }

  #tellEnd({ at, error }: EndEvent): void {
    this.#endedAt = this.#startedAt + at
    if (error === undefined) return
    this.#root.setAttribute(attribute.errorType, error.type)
    fail(this.#root, error)
  }

  #count(step: StepEvent): void {
    const { inputTokens = 0, outputTokens = 0 } = step.model?.answer?.usage ?? {}
    this.#usage.inputTokens += inputTokens
    this.#usage.outputTokens += outputTokens
    this.#providers.add(providerName(step))
  }

  /** Returns the usage and the provider of the run's model calls. */
  #sums(): Attributes {
    const [provider, ...others] = this.#providers
    if (provider === undefined) return {}
    const { inputTokens, outputTokens } = this.#usage
    const usage = { [attribute.inputTokens]: inputTokens, [attribute.outputTokens]: outputTokens }
    return others.length === 0 ? { ...usage, [attribute.provider]: provider } : usage
  }

  /** Makes a step's span the parent of everything that happens in the step from now on. */
  #enter(step: number, around: Context, span: Span): void {
    const place: Place = { spans: this, step }
    this.#contexts.set(step, trace.setSpan(around, span).setValue(PLACE, place))
  }

  /**
   * Returns the agent's current context: that of its own span if it is inside the step's body, else that of the step. Code that reads what an agent
   * hands out is elsewhere.
   */
  #around(owner: number): Context {
    const active = context.active()
    const place = active.getValue(PLACE) as Place | undefined
    return place?.spans === this && place.step === owner ? active : this.#contextOf(owner)
  }

  #contextOf(owner: number): Context {
    return this.#contexts.get(owner) ?? this.#contexts.get(0) ?? context.active()
  }
}

/** Which step of which run a context is in. */
interface Place {
  readonly spans: RunSpans
  readonly step: number
}

const PLACE = createContextKey('goldenrun')

function fail(span: Span, { message }: EventError): void {
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) })
}
