import { context, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { otel, type OtelOptions } from '../../src/otel.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

/** A recorder that tells OpenTelemetry, as a service has it. */
export interface Traced extends AsyncDisposable {
  readonly recorder: Recorder
  readonly directory: TemporaryDirectory
  readonly provider: NodeTracerProvider
  /** The spans that ended by now, those of goldenrun's once what was recorded is written. */
  spans(): Promise<ReadableSpan[]>
}

/** Registers a provider whose spans stay in memory, until it is disposed. */
export function startTracing(
  processors: readonly SpanProcessor[] = [],
): { readonly provider: NodeTracerProvider; readonly exporter: InMemorySpanExporter } & Disposable {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [...processors, new SimpleSpanProcessor(exporter)] })
  provider.register()
  const stop = (): void => {
    trace.disable()
    context.disable()
  }
  return { provider, exporter, [Symbol.dispose]: stop }
}

/** Starts such a recorder. It has started when this resolves. */
export async function startTraced(options: OtelOptions = {}, recorderOptions: Omit<RecorderOptions, 'store'> = {}): Promise<Traced> {
  const tracing = startTracing()
  const directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), telemetry: otel(options), ...recorderOptions })
  await recorder.start()
  return {
    recorder,
    directory,
    provider: tracing.provider,
    async spans() {
      await recorder.flush()
      return tracing.exporter.getFinishedSpans()
    },
    async [Symbol.asyncDispose]() {
      await recorder.close()
      tracing[Symbol.dispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** A span by its name; the first of them. */
export function named(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const span = spans.find((candidate) => candidate.name === name)
  if (span === undefined) throw new Error(`There is no span "${name}" among ${spans.map((each) => each.name).join(', ')}.`)
  return span
}

/** Each span's name with those of the spans around it, outermost first: `request > invoke_agent support > chat gpt-4.1`; sorted. */
export function pathsOf(spans: readonly ReadableSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]))
  const pathOf = (span: ReadableSpan): string => {
    const parent = span.parentSpanContext
    if (parent === undefined) return span.name
    const around = byId.get(parent.spanId)
    return `${around === undefined ? '?' : pathOf(around)} > ${span.name}`
  }
  return spans.map(pathOf).toSorted()
}
