import { isSpanContextValid, trace, type TracerProvider } from '@opentelemetry/api'
import { EventBuilder } from '../record/telemetry/event-builder.ts'
import type { Telemetry } from '../record/telemetry/telemetry.ts'
import { checkKnownOptions } from '../trace/errors/options-error.ts'
import { GOLDENRUN_VERSION } from '../trace/version.ts'
import { RunSpans } from './run-spans.ts'

/** The options of `otel`. */
export interface OtelOptions {
  /** Makes the tracer. Default: the provider that is registered when a run begins; without one, nothing is reported. */
  readonly tracerProvider?: TracerProvider
  /**
   * Whether spans carry contents: messages, instructions, tools and their schemas, arguments and results, messages of errors. They are redacted as
   * the recording is. Each model call has the whole conversation up to it. Default: false.
   */
  readonly content?: boolean
}

/**
 * Makes OpenTelemetry spans of runs, by the semantic conventions for generative AI: `invoke_agent {agent}` for a run, below it `chat {model}` and
 * `execute_tool {tool}`, HTTP calls and externals. A recorded run has the id of the trace that is active when it begins, and its span has the
 * recording's location (`replay.capture_uri`). A replay's span has an event for each divergence (`replay.divergence`). A failure in telemetry is
 * warned of once, and never reaches the run.
 *
 * @example
 * const recorder = createRecorder({ store: '.goldenrun/runs', telemetry: otel() })
 *
 * @throws GoldenrunError `GOLDENRUN_OPTIONS` for an unknown option.
 */
export function otel(options: OtelOptions = {}): Telemetry {
  checkKnownOptions('otel', options, ['tracerProvider', 'content'])
  const content = options.content === true
  return {
    content,
    createEventBuilder: () => new EventBuilder(content),
    activeTraceId() {
      const active = trace.getActiveSpan()?.spanContext()
      return active !== undefined && isSpanContextValid(active) ? active.traceId : undefined
    },
    begin(agent) {
      const provider = options.tracerProvider ?? trace.getTracerProvider()
      return new RunSpans(provider.getTracer('goldenrun', GOLDENRUN_VERSION), agent)
    },
  }
}
