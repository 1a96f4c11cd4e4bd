// npm exec -- node examples/telemetry/main.ts
import { InMemorySpanExporter, NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import OpenAI from 'openai'
import { createRecorder, tool } from 'goldenrun'
import { otel } from 'goldenrun/otel'
import { listTraces } from 'goldenrun/replay'
import { startPayments } from '../world/payments.ts'
import { startProvider } from '../world/provider.ts'
import { createTemporaryStore } from '../world/temporary-store.ts'

await using payments = await startPayments()
await using provider = await startProvider({ script: [{ text: 'It is packed.', usage: { inputTokens: 30, outputTokens: 5 } }] })
const client = new OpenAI({ apiKey: 'sk-local', baseURL: provider.openaiBaseUrl })
const getOrder = tool('get_order', { effect: 'read' }, async (id: string) => await (await fetch(`${payments.url}/v1/orders/${id}`)).json())

async function orderAgent(id: string): Promise<string> {
  const content = `Tell the customer about ${JSON.stringify(await getOrder(id))}`
  const { choices } = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content }] })
  return choices[0]?.message.content ?? ''
}

// Your own provider, with the exporter of your backend in place of this one.
const exporter = new InMemorySpanExporter()
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
tracerProvider.register()

await using store = await createTemporaryStore()
const recorder = createRecorder({ store: store.folder, telemetry: otel() })
await tracerProvider.getTracer('shop').startActiveSpan('POST /tickets', async (span) => {
  await recorder.run({ agent: 'orders', input: 'ord_1002', tags: { session: 's-1' } }, orderAgent)
  span.end()
})
await recorder.close()
await tracerProvider.forceFlush()

const spans = exporter.getFinishedSpans()
printTree(undefined, '')
const traceId = spans[0]?.spanContext().traceId ?? ''
const found = await listTraces({ store: store.folder, traceId })
console.log(`The trace's id finds ${found.length} recording, of the agent ${found[0]?.agent}.`)

function printTree(parent: string | undefined, indent: string): void {
  for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent).toSorted(byStep)) {
    console.log(`${indent}${span.name}${describe(span)}`)
    printTree(span.spanContext().spanId, `${indent}  `)
  }
}

function describe({ attributes }: ReadableSpan): string {
  const names = ['replay.step', 'gen_ai.conversation.id', 'gen_ai.usage.input_tokens', 'gen_ai.tool.name', 'http.response.status_code']
  return names.flatMap((name) => (attributes[name] === undefined ? [] : [`  ${name}=${String(attributes[name])}`])).join('')
}

function byStep(a: ReadableSpan, b: ReadableSpan): number {
  return Number(a.attributes['replay.step'] ?? 0) - Number(b.attributes['replay.step'] ?? 0)
}
