import { context, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import { AlwaysOffSampler, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { external } from '../../src/run/external.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { otel } from '../../src/otel.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { named, pathsOf, startTraced } from './traced.ts'

const secret = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'

const shop = await listen(async (request, response) => {
  response.writeHead(request.url?.startsWith('/missing') === true ? 404 : 200, { 'content-type': 'application/json' })
  response.end('{"status":"packed"}')
})
const model = await startProvider({
  script: [
    {
      toolCalls: [{ id: 'call_order', name: 'get_order', args: { id: 'ord_1' } }],
      usage: { inputTokens: 30, outputTokens: 4 },
      model: 'gpt-4.1-2025-04-14',
    },
    { text: `It is packed. ${secret}`, usage: { inputTokens: 50, outputTokens: 6 } },
  ],
})
afterAll(async () => {
  await shop.close()
  await model.close()
})

const openai = (): OpenAI => new OpenAI({ baseURL: model.openaiBaseUrl, apiKey: 'test', maxRetries: 0 })

const findOrder = external(
  'find_order',
  async (id: string) => (await (await fetch(`${shop.url}/orders/${id}?key=${secret}`)).json()) as unknown,
)
const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ order: await findOrder(id), secret }))

/** Asks the model, calls the tool that it asks for, and asks again. */
async function supportAgent({ ticket, stream = false }: { readonly ticket: string; readonly stream?: boolean }): Promise<string> {
  const tools = [{ type: 'function', function: { name: 'get_order', parameters: { type: 'object' } } }] as const
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: ticket },
  ]
  for (;;) {
    const message = await ask({ model: 'gpt-4.1', messages, tools: [...tools] }, stream)
    if (message.tool_calls === undefined) return message.content ?? ''
    messages.push({ role: 'assistant', content: message.content, tool_calls: message.tool_calls })
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const result = await getOrder(JSON.parse(call.function.arguments) as { id: string })
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) })
    }
  }
}

async function ask(
  request: OpenAI.ChatCompletionCreateParamsNonStreaming,
  stream: boolean,
): Promise<Pick<OpenAI.ChatCompletionMessage, 'content' | 'tool_calls'>> {
  const client = openai()
  const { choices } = stream
    ? await client.chat.completions.stream({ ...request, stream: true, stream_options: { include_usage: true } }).finalChatCompletion()
    : await client.chat.completions.create(request)
  const { content = null, tool_calls: calls } = choices[0]?.message ?? {}
  return { content, ...(calls !== undefined && calls.length > 0 && { tool_calls: calls }) }
}

const port = (url: string): number => Number(new URL(url).port)

describe.each([
  ['by a thread of its own', true],
  ['on the thread of the agent', false],
])('a run that is kept %s', (_where, thread) => {
  it('is a span with one for each step, by the conventions', async () => {
    await using traced = await startTraced({}, { thread, agentVersion: '7' })
    let id = ''
    await traced.recorder.run({ agent: 'support', input: { ticket: 'Where is it?' }, tags: { session: 'conv_1' } }, async (input) => {
      id = currentRun()?.id ?? ''
      return await supportAgent(input)
    })
    const spans = await traced.spans()
    expect(pathsOf(spans)).toEqual([
      'invoke_agent support',
      'invoke_agent support > chat gpt-4.1',
      'invoke_agent support > chat gpt-4.1',
      'invoke_agent support > execute_tool get_order',
      'invoke_agent support > execute_tool get_order > find_order',
      'invoke_agent support > execute_tool get_order > find_order > GET',
    ])
    const root = named(spans, 'invoke_agent support')
    expect(root.kind).toBe(SpanKind.INTERNAL)
    expect(root.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'support',
      'gen_ai.agent.version': '7',
      'gen_ai.conversation.id': 'conv_1',
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 80,
      'gen_ai.usage.output_tokens': 10,
      'replay.capture_uri': `file://${traced.directory.resolve('runs', `${id}.runlog`)}`,
    })
    const chat = named(spans, 'chat gpt-4.1')
    expect(chat.kind).toBe(SpanKind.CLIENT)
    expect(chat.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1',
      'gen_ai.response.model': 'gpt-4.1-2025-04-14',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 4,
      'server.address': '127.0.0.1',
      'server.port': port(model.url),
      'replay.step': 1,
    })
    const called = named(spans, 'execute_tool get_order')
    expect(called.kind).toBe(SpanKind.INTERNAL)
    expect(called.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_order',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_order',
      'replay.step': 2,
    })
    expect(named(spans, 'find_order').attributes).toEqual({ 'replay.step': 3 })
    const { 'url.full': url, ...exchange } = named(spans, 'GET').attributes
    expect(exchange).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': port(shop.url),
      'replay.step': 4,
    })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/orders\/ord_1\?key=/)
    expect(everyAttribute(spans)).not.toContain(secret)
    expect(spans.map(({ status }) => status.code)).toEqual(spans.map(() => SpanStatusCode.UNSET))
  })

  it('has the times of its steps, each within the span around it', async () => {
    await using traced = await startTraced({}, { thread })
    const before = Date.now()
    await traced.recorder.run({ agent: 'support', input: { ticket: 'Where is it?' } }, supportAgent)
    // One clock tells whole milliseconds, the other tenths since one of those.
    const after = Date.now() + 2
    const spans = await traced.spans()
    const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]))
    for (const span of spans) {
      const around = byId.get(span.parentSpanContext?.spanId ?? '')
      const [start, end] = around === undefined ? [before, after] : [toMs(around.startTime), toMs(around.endTime)]
      expect(toMs(span.startTime)).toBeGreaterThanOrEqual(start)
      expect(toMs(span.endTime)).toBeLessThanOrEqual(end)
    }
  })

  it('tells of streamed answers what they come to', async () => {
    await using traced = await startTraced({}, { thread })
    await traced.recorder.run({ agent: 'support', input: { ticket: 'Where is it?', stream: true } }, supportAgent)
    const spans = await traced.spans()
    const chats = spans.filter(({ name }) => name === 'chat gpt-4.1').map(({ attributes }) => attributes)
    expect(chats.map((attributes) => attributes['gen_ai.usage.input_tokens'])).toEqual([30, 50])
    expect(chats.map((attributes) => attributes['gen_ai.response.finish_reasons'])).toEqual([['tool_calls'], ['stop']])
    expect(chats.map((attributes) => attributes['gen_ai.request.stream'])).toEqual([true, true])
    expect(chats.map((attributes) => Number(attributes['gen_ai.response.time_to_first_chunk']) >= 0)).toEqual([true, true])
    expect(named(spans, 'execute_tool get_order').attributes['gen_ai.tool.call.id']).toBe('call_order')
  })

  it('lies in the span in which it was begun, which says where the recording lies while it goes on', async () => {
    await using traced = await startTraced({}, { thread })
    const tracer = trace.getTracer('service')
    let [runId, traceId, uri]: unknown[] = []
    const request = await tracer.startActiveSpan('POST /tickets', async (span) => {
      await traced.recorder.run({ agent: 'support', input: { ticket: 'Where is it?' } }, async (input) => {
        ;[runId, traceId] = [currentRun()?.id, currentRun()?.traceId]
        uri = Reflect.get(Reflect.get(span, 'attributes') as object, 'replay.capture_uri')
        return await supportAgent(input)
      })
      span.end()
      return span
    })
    const spans = await traced.spans()
    expect(traceId).toBe(request.spanContext().traceId)
    expect(uri).toBe(`file://${traced.directory.resolve('runs', `${String(runId)}.runlog`)}`)
    expect(pathsOf(spans)).toContain('POST /tickets > invoke_agent support > execute_tool get_order')
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
    const { runs } = await createDirectoryStore(traced.directory.resolve('runs')).find({ traceId: String(traceId) })
    expect(runs.map((run) => run.id)).toEqual([runId])
  })

  it('has the spans of the agent’s own where they belong, and what happens in those in them', async () => {
    await using traced = await startTraced({}, { thread })
    const tracer = trace.getTracer('agent')
    const pack = tool('pack', {}, async () => {
      await tracer.startActiveSpan('weigh', async (span) => {
        await fetch(`${shop.url}/scale`)
        span.end()
      })
    })
    await traced.recorder.run({ agent: 'support', input: {} }, async () => {
      await tracer.startActiveSpan('plan', async (span) => {
        await pack()
        span.end()
      })
    })
    // Nobody reads what the scale says: until then the run is watched.
    await traced.recorder.close()
    expect(pathsOf(await traced.spans())).toEqual([
      'invoke_agent support',
      'invoke_agent support > plan',
      'invoke_agent support > plan > execute_tool pack',
      'invoke_agent support > plan > execute_tool pack > weigh',
      'invoke_agent support > plan > execute_tool pack > weigh > GET',
    ])
  })

  it('has what an agent does while what it handed out is read', async () => {
    await using traced = await startTraced({}, { thread })
    const tracer = trace.getTracer('service')
    await tracer.startActiveSpan('request', async (span) => {
      const pieces = await traced.recorder.run({ agent: 'support', input: {} }, async function* () {
        yield 1
        yield await getOrder({ id: 'ord_1' })
      })
      await tracer.startActiveSpan('read', async (reading) => {
        for await (const _ of pieces) continue
        reading.end()
      })
      span.end()
    })
    expect(pathsOf(await traced.spans())).toEqual([
      'request',
      'request > invoke_agent support',
      'request > invoke_agent support > execute_tool get_order',
      'request > invoke_agent support > execute_tool get_order > find_order',
      'request > invoke_agent support > execute_tool get_order > find_order > GET',
      'request > read',
    ])
  })

  it('says which errors there were, of tools, models, requests and the run, and no words of them', async () => {
    await using failing = await startProvider({
      script: [{ status: 429, error: { type: 'requests', code: 'rate_limit_exceeded', message: 'Slow down, Jane' } }],
    })
    const gone = await listen(async () => undefined)
    await gone.close()
    await using traced = await startTraced({}, { thread })
    const refund = tool('refund', {}, async () => {
      throw new RangeError('not that much, Jane')
    })
    const run = traced.recorder.run({ agent: 'support', input: {} }, async () => {
      await refund().catch(() => undefined)
      await fetch(`${shop.url}/missing`)
      await fetch(gone.url).catch(() => undefined)
      const client = new OpenAI({ baseURL: failing.openaiBaseUrl, apiKey: 'test', maxRetries: 0 })
      await client.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] })
    })
    await expect(run).rejects.toThrow('429')
    const spans = await traced.spans()
    const errors = spans.map(({ name, attributes, status }) => [name, attributes['error.type'], status.code, status.message])
    expect(errors.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      ['chat gpt-4.1', 'rate_limit_exceeded', SpanStatusCode.ERROR, undefined],
      ['execute_tool refund', 'RangeError', SpanStatusCode.ERROR, undefined],
      ['GET', '404', SpanStatusCode.ERROR, undefined],
      ['GET', 'ECONNREFUSED', SpanStatusCode.ERROR, undefined],
      ['invoke_agent support', 'rate_limit_exceeded', SpanStatusCode.ERROR, undefined],
    ])
    expect(everyAttribute(spans)).not.toContain('Jane')
  })

  it('includes message content on request, redacted like the recording', async () => {
    await using traced = await startTraced({ content: true }, { thread })
    await traced.recorder.run({ agent: 'support', input: { ticket: `Where is it? ${secret}` } }, supportAgent)
    const spans = await traced.spans()
    expect(everyAttribute(spans)).not.toContain(secret)
    const [first, second] = spans.filter(({ name }) => name === 'chat gpt-4.1').map(({ attributes }) => attributes)
    const read = (text: unknown): unknown => JSON.parse(String(text))
    expect(read(first?.['gen_ai.system_instructions'])).toEqual([{ type: 'text', content: 'Be kind.' }])
    expect(read(first?.['gen_ai.input.messages'])).toEqual([
      { role: 'user', parts: [{ type: 'text', content: expect.stringMatching(/^Where is it\? \S+$/) }] },
    ])
    const call = { type: 'tool_call', id: 'call_order', name: 'get_order', arguments: { id: 'ord_1' } }
    expect(read(first?.['gen_ai.output.messages'])).toEqual([{ role: 'assistant', parts: [call], finish_reason: 'tool_call' }])
    expect(read(first?.['gen_ai.tool.definitions'])).toEqual([{ type: 'function', name: 'get_order', parameters: { type: 'object' } }])
    expect(read(second?.['gen_ai.input.messages'])).toEqual([
      { role: 'user', parts: [expect.anything()] },
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_order', response: expect.stringContaining('"packed"') }] },
    ])
    expect(read(second?.['gen_ai.output.messages'])).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: expect.stringMatching(/^It is packed\. \S+$/) }], finish_reason: 'stop' },
    ])
    const { attributes } = named(spans, 'execute_tool get_order')
    expect(read(attributes['gen_ai.tool.call.arguments'])).toEqual({ id: 'ord_1' })
    expect(read(attributes['gen_ai.tool.call.result'])).toMatchObject({ order: { status: 'packed' } })
  })

  it('leaves out message content by default', async () => {
    await using traced = await startTraced({}, { thread })
    await traced.recorder.run({ agent: 'support', input: { ticket: 'Where is my lamp?' } }, supportAgent)
    const told = everyAttribute(await traced.spans())
    for (const word of ['lamp', 'kind', 'packed', 'gen_ai.input.messages', 'arguments']) expect(told).not.toContain(word)
  })

  it('is not mixed with others that run at the same time', async () => {
    await using traced = await startTraced({ content: true }, { thread })
    const tracer = trace.getTracer('service')
    const runs = Array.from({ length: 16 }, (_, number) =>
      tracer.startActiveSpan(`request ${number}`, async (span) => {
        await traced.recorder.run({ agent: `agent ${number}`, input: { ticket: `ticket ${number}!` } }, supportAgent)
        span.end()
      }),
    )
    await Promise.all(runs)
    const spans = await traced.spans()
    const expected = Array.from({ length: 16 }, (_, number) => {
      const run = `request ${number} > invoke_agent agent ${number}`
      const called = `${run} > execute_tool get_order`
      return [
        `request ${number}`,
        run,
        `${run} > chat gpt-4.1`,
        `${run} > chat gpt-4.1`,
        called,
        `${called} > find_order`,
        `${called} > find_order > GET`,
      ]
    })
    expect(pathsOf(spans)).toEqual(expected.flat().toSorted())
    const byTrace = Map.groupBy(spans, (span) => span.spanContext().traceId)
    expect(byTrace.size).toBe(16)
    for (const own of byTrace.values()) {
      const number = named(own, own.find(({ name }) => name.startsWith('request'))?.name ?? '').name.replace('request ', '')
      const asked = own.filter(({ name }) => name.startsWith('chat')).map(({ attributes }) => String(attributes['gen_ai.input.messages']))
      expect(asked.map((text) => text.includes(`ticket ${number}!`))).toEqual([true, true])
    }
  })

  it('has a step that was in flight when it ended', async () => {
    const slow = await listen(async () => undefined)
    await using traced = await startTraced({}, { thread })
    await traced.recorder.run({ agent: 'support', input: {} }, async () => {
      void fetch(slow.url).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 5))
    })
    // Until then it is watched for what it left behind.
    await traced.recorder.close()
    const spans = await traced.spans()
    expect(pathsOf(spans)).toEqual(['invoke_agent support', 'invoke_agent support > GET'])
    expect(named(spans, 'GET').endTime).toEqual(named(spans, 'invoke_agent support').endTime)
    await slow.close()
  })

  it('says that nothing was kept where sampling left it out', async () => {
    await using traced = await startTraced({}, { thread, sample: { errors: 1, rest: 0 } })
    await traced.recorder.run({ agent: 'support', input: {} }, () => 'fine')
    const { attributes } = named(await traced.spans(), 'invoke_agent support')
    expect(attributes['replay.kept']).toBe(false)
    expect(traced.recorder.stats()).toMatchObject({ sampledOut: 1, recorded: 0 })
  })

  it('is no span where it is not recorded', async () => {
    await using traced = await startTraced({}, { thread, sample: { head: 0 } })
    await traced.recorder.run({ agent: 'alone', input: {} }, () => 'fine')
    const span = await trace.getTracer('service').startActiveSpan('request', async (request) => {
      await traced.recorder.run({ agent: 'support', input: {} }, () => 'fine')
      request.end()
      return request
    })
    expect(pathsOf(await traced.spans())).toEqual(['request'])
    expect(Reflect.get(span, 'attributes')).toEqual({})
    expect(traced.recorder.stats()).toMatchObject({ sampledOut: 2, recorded: 0 })
  })

  it('ends its spans when the recorder is closed before it', async () => {
    await using traced = await startTraced({}, { thread })
    const { promise, resolve } = Promise.withResolvers<void>()
    const wait = tool('wait', {}, () => promise)
    const run = traced.recorder.run({ agent: 'support', input: {} }, () => wait())
    await traced.recorder.close()
    expect(pathsOf(await traced.spans())).toEqual(['invoke_agent support', 'invoke_agent support > execute_tool wait'])
    resolve()
    await run
  })
})

it('has its own id and reports nothing when no provider is registered', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), telemetry: otel() })
  let traceId: string | undefined
  const output = await recorder.run({ agent: 'support', input: { ticket: 'Where is it?' } }, (input) => {
    traceId = currentRun()?.traceId
    return supportAgent(input)
  })
  await recorder.close()
  expect(output).toMatch(/^It is packed/)
  expect(traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(traceId).not.toMatch(/^0+$/)
  expect(recorder.stats()).toMatchObject({ recorded: 1, failed: 0 })
})

it('has the id of a trace that is not sampled, and one that came from elsewhere', async () => {
  await using traced = await startTraced({ tracerProvider: new NodeTracerProvider({ sampler: new AlwaysOffSampler() }) })
  const remote = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: TraceFlags.NONE, isRemote: true }
  const traceId = await context.with(trace.setSpanContext(context.active(), remote), () =>
    traced.recorder.run({ agent: 'support', input: { ticket: 'Where is it?' } }, async (input) => {
      await supportAgent(input)
      return currentRun()?.traceId
    }),
  )
  expect(traceId).toBe(remote.traceId)
  expect(await traced.spans()).toEqual([])
  expect(traced.recorder.stats()).toMatchObject({ recorded: 1 })
})

it('says the id of the recording where the store does not say where it lies', async () => {
  await using traced = await startTraced()
  const { locate: _, ...store } = createDirectoryStore(traced.directory.resolve('others'))
  const recorder = createRecorder({ store, telemetry: otel() })
  const id = await recorder.run({ agent: 'support', input: {} }, () => currentRun()?.id)
  await recorder.close()
  expect(named(await traced.spans(), 'invoke_agent support').attributes['replay.capture_uri']).toBe(id)
})

it('refuses options that it does not know', () => {
  expect(() => otel({ contents: true } as never)).toThrow('otel: the option "contents" is not known. It takes: tracerProvider, content.')
  expect(() => createRecorder({ telemetry: {} as never })).toThrow(
    'createRecorder: the option "telemetry" has to be the result of otel() from goldenrun/otel: { telemetry: otel() }.',
  )
})

function everyAttribute(spans: readonly ReadableSpan[]): string {
  return JSON.stringify(spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })))
}

function toMs([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1000 + nanoseconds / 1e6
}
