import { context, type ContextManager, ROOT_CONTEXT, type Span, trace, type TracerProvider } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { otel } from '../../src/otel.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = await listen(async (_request, response) => void response.end('{"ok":true}'))
afterAll(() => server.close())

const warnings: string[] = []
const onWarning = (warning: Error): number => warnings.push(warning.message)
process.on('warning', onWarning)
afterEach(() => {
  trace.disable()
  context.disable()
  warnings.splice(0)
})
afterAll(() => process.off('warning', onWarning))

let refunds = 0
const refund = tool('refund', { effect: 'write' }, async (amount: number) => {
  refunds += 1
  const answer: unknown = await (await fetch(server.url)).json()
  return { amount, answer }
})
const fail = tool('fail', {}, async () => {
  throw new RangeError('too much')
})

async function agent(amount: number): Promise<unknown> {
  const failed = await fail().catch((error: Error) => error.name)
  return { failed, refunded: await refund(amount) }
}
const expected = { failed: 'RangeError', refunded: { amount: 7, answer: { ok: true } } }

function broken(): never {
  throw new Error('the exporter is down')
}

const working = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new InMemorySpanExporter())] })

/** A provider whose spans are real but for some of what they can do. */
function spansWith(own: object): TracerProvider {
  const tracer = working.getTracer('test')
  const make = (...args: Parameters<typeof tracer.startSpan>): Span => Object.assign(tracer.startSpan(...args), own)
  return { getTracer: () => ({ startSpan: make, startActiveSpan: tracer.startActiveSpan.bind(tracer) as never }) }
}

function withProcessor(own: Partial<SpanProcessor>): TracerProvider {
  const processor = new SimpleSpanProcessor(new InMemorySpanExporter())
  return new NodeTracerProvider({ spanProcessors: [Object.assign(processor, own)] })
}

/** Those that the SDK does not keep to itself are warned of. */
const providers: Readonly<Record<string, () => TracerProvider>> = {
  'gives no tracer': () => ({ getTracer: broken }),
  'starts no span': () => ({ getTracer: () => ({ startSpan: broken, startActiveSpan: broken }) }),
  'cannot set an attribute': () => spansWith({ setAttribute: broken, setAttributes: broken }),
  'cannot end a span': () => spansWith({ end: broken }),
  'throws where a span starts': () => withProcessor({ onStart: broken }),
  'throws where a span ends': () => withProcessor({ onEnd: broken }),
  'throws where it exports': () =>
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(Object.assign(new InMemorySpanExporter(), { export: broken }))] }),
}

for (const thread of [true, false]) {
  it.each(Object.entries(providers))(`runs and records where a provider %s (${thread ? 'thread' : 'inline'})`, async (what, create) => {
    const warned = await expectUnhurt(thread, create())
    expect(warned).toBe(what.includes('exports') ? 0 : 1)
  })
}

it('runs and records where the manager of contexts throws, before or after it has called', async () => {
  const manager = (own: Partial<ContextManager>): ContextManager => ({
    active: () => ROOT_CONTEXT,
    with: (_context, body, self, ...args) => body.apply(self, args),
    bind: (_context, target) => target,
    enable: () => manager(own),
    disable: () => manager(own),
    ...own,
  })
  const after: ContextManager['with'] = (_context, body, self, ...args) => {
    void body.apply(self, args)
    return broken()
  }
  for (const own of [{ active: broken }, { with: broken }, { with: after }]) {
    context.setGlobalContextManager(manager(own))
    expect(await expectUnhurt(false, working)).toBe(1)
    context.disable()
  }
})

/** The agent comes to what it would have come to, its side effect is made once, and its run is recorded. Gives how often it was warned. */
async function expectUnhurt(thread: boolean, tracerProvider: TracerProvider): Promise<number> {
  warnings.splice(0)
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), telemetry: otel({ tracerProvider }), thread })
  await recorder.start()
  refunds = 0
  expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
  expect(refunds).toBe(1)
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 1, failed: 0 })
  const { runs } = await createDirectoryStore(directory.resolve('runs')).find({ status: 'returned' })
  expect(runs.map(({ steps, toolCalls }) => [steps, toolCalls])).toEqual([[3, 2]])
  expect(runs[0]?.traceId).toMatch(/^[0-9a-f]{32}$/)
  await new Promise((resolve) => setImmediate(resolve))
  return warnings.filter((warning) => warning.includes('could not report a run to telemetry: Error: the exporter is down')).length
}
