import { SpanStatusCode, trace } from '@opentelemetry/api'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { otel } from '../../src/otel.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { named, pathsOf, startTraced, startTracing } from './traced.ts'

const server = await listen(async (_request, response) => void response.end('{"ok":true}'))
afterAll(() => server.close())

const refund = tool('refund', { effect: 'write' }, async (amount: number) => amount)

async function agent(): Promise<unknown> {
  const drawn = [Math.random(), Date.now(), crypto.randomUUID()]
  const answer: unknown = await (await fetch(server.url, { method: 'POST', body: JSON.stringify(drawn) })).json()
  return { answer, drawn, refunded: await refund(7), after: Math.random() }
}

it('tells of a replay, and of each divergence where in the code it is', async () => {
  using tracing = startTracing()
  const { trace: recorded } = await recordRun(agent)
  const changed = async (): Promise<unknown> => {
    const drawn = [Math.random(), Date.now(), crypto.randomUUID()]
    await fetch(server.url, { method: 'POST', body: JSON.stringify(drawn) })
    return refund(8)
  }
  const run = await replay(recorded, changed, { telemetry: otel() })
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([['input', 2]])
  const span = named(tracing.exporter.getFinishedSpans(), 'invoke_agent agent')
  expect(span.attributes).toMatchObject({ 'gen_ai.operation.name': 'invoke_agent', 'replay.capture_uri': recorded.header.id })
  expect(span.events.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
    {
      name: 'replay.divergence',
      attributes: {
        'replay.divergence': true,
        'replay.cause': 'input',
        'replay.step': 2,
        'replay.name': 'refund',
        'code.file.path': 'test/otel/replays.test.ts',
        'code.line.number': expect.any(Number),
        'code.column.number': expect.any(Number),
      },
    },
  ])
})

it('tells of a replay that holds, and no divergence', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  using tracing = startTracing()
  const { trace: recorded } = await recordRun(agent, { tags: { session: 'conv_1' } })
  await promote(recorded, { name: 'refunds' })
  const run = await replay('refunds', agent, { telemetry: otel() })
  expect(run.divergences).toEqual([])
  const span = named(tracing.exporter.getFinishedSpans(), 'invoke_agent agent')
  expect(span.events).toEqual([])
  expect(span.status.code).toBe(SpanStatusCode.UNSET)
  expect(span.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'agent',
    'gen_ai.conversation.id': 'conv_1',
    'replay.capture_uri': pathToFileURL(project.resolve('golden-traces/refunds.jsonl')).href,
  })
})

it('has the spans of a replayed agent in that of the replay', async () => {
  using tracing = startTracing()
  const traced = (): Promise<unknown> =>
    trace.getTracer('agent').startActiveSpan('plan', async (span) => {
      await refund(7)
      span.end()
      throw new RangeError('no')
    })
  const { trace: recorded } = await recordRun(traced, { fails: true })
  tracing.exporter.reset()
  await replay(recorded, traced, { telemetry: otel() })
  const spans = tracing.exporter.getFinishedSpans()
  expect(pathsOf(spans)).toEqual(['invoke_agent agent', 'invoke_agent agent > plan'])
  expect(named(spans, 'invoke_agent agent').attributes['error.type']).toBe('RangeError')
})

it.each([true, false])('draws nothing of the run’s: what is recorded with it replays without (thread: %s)', async (thread) => {
  await using traced = await startTraced({}, { thread })
  await traced.recorder.run({ agent: 'agent', input: undefined }, agent)
  await traced.recorder.flush()
  const store = traced.directory.resolve('runs')
  const [id = ''] = await createDirectoryStore(store).list()
  const recorded = await readTrace(id, { store })
  const drawn = (run: Trace): unknown[] =>
    rowsOf(run, 'reads').map((row) => Object.entries(row).map(([kind, draws]) => [kind, sizeOf(draws)]))
  expect(drawn(recorded)).toEqual(drawn((await recordRun(agent)).trace))
  const before = (await traced.spans()).length
  await expectClean(recorded, agent)
  await expectClean(recorded, agent, { telemetry: otel() })
  expect((await traced.spans()).length).toBe(before + 2)
})

/** How many draws there are of a kind. */
function sizeOf(draws: unknown): unknown {
  return typeof draws === 'object' && draws !== null && 'length' in draws ? draws.length : draws
}

it('replays where a provider throws', async () => {
  const { trace: recorded } = await recordRun(agent)
  const tracerProvider = {
    getTracer: () => {
      throw new Error('down')
    },
  }
  await expectClean(recorded, agent, { telemetry: otel({ tracerProvider }) })
})
