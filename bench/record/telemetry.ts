import { createOpenAI } from '@ai-sdk/openai'
import { generateText, streamText } from 'ai'
import type { Ask } from './workload.ts'

/** The telemetry settings of a model call; undefined for none. */
export interface TelemetrySettings {
  readonly integrations: object
}

/** Makes model calls through the AI SDK, because @ai-sdk/otel sees no others. */
export function askWithAiSdk(telemetry?: TelemetrySettings): Ask {
  return async (kind, calls, port, content) => {
    // Created anew, so that it uses the current fetch.
    const model = createOpenAI({ apiKey: 'sk-local', baseURL: `http://127.0.0.1:${port}/${kind}` }).chat('gpt-5')
    const request = {
      model,
      prompt: content,
      maxRetries: 0,
      telemetry: telemetry === undefined ? { isEnabled: false } : { isEnabled: true, ...telemetry },
    } as Parameters<typeof streamText>[0] & Parameters<typeof generateText>[0]
    for (let call = 0; call < calls; call += 1) {
      if (kind === 'sse') await streamText(request).consumeStream()
      else await generateText(request)
    }
  }
}

/** Creates @ai-sdk/otel with spans in memory, including contents, which is its default. */
export async function createTelemetry(): Promise<TelemetrySettings & { close(): Promise<void> }> {
  const { OpenTelemetry } = (await import(PACKAGES.integration)) as { OpenTelemetry: new (options: { tracer: unknown }) => object }
  const { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } = (await import(PACKAGES.tracing)) as Tracing
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: 1_000_000 })] })
  return {
    integrations: new OpenTelemetry({ tracer: provider.getTracer('bench') }),
    async close() {
      await provider.forceFlush()
      const spans = exporter.getFinishedSpans().length
      await provider.shutdown()
      if (spans === 0) throw new Error('The bench lost spans: none was exported.')
    },
  }
}

/** In variables, so that their types are not needed where they are not installed. */
const PACKAGES: Readonly<Record<'integration' | 'tracing', string>> = {
  integration: '@ai-sdk/otel',
  tracing: '@opentelemetry/sdk-trace-base',
}

interface Tracing {
  readonly InMemorySpanExporter: new () => { getFinishedSpans(): unknown[] }
  readonly BatchSpanProcessor: new (exporter: object, options: { maxQueueSize: number }) => object
  readonly BasicTracerProvider: new (options: { spanProcessors: object[] }) => {
    getTracer(name: string): unknown
    forceFlush(): Promise<void>
    shutdown(): Promise<void>
  }
}
