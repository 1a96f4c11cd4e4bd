import { expect, it } from 'vitest'
import { createJestWorkspace, expectPassed } from '../support/jest-workspace.ts'
import { environmentConfig } from './files.ts'

const TEST = `const { createRecorder, tool } = require('goldenrun')
const { otel } = require('goldenrun/otel')
const { readTrace, replay } = require('goldenrun/replay')
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-node')

const exporter = new InMemorySpanExporter()
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
const look = tool('look', {}, async (id) => ({ id }))

test('tells the provider that the test registers', async () => {
  const recorder = createRecorder({ store: 'runs', telemetry: otel() })
  await recorder.run({ agent: 'support', input: 'ord_1' }, look)
  await recorder.flush()
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name }) => name)).toEqual(['execute_tool look', 'invoke_agent support'])
  await recorder.close()
  const { pathname } = new URL(spans[1].attributes['replay.capture_uri'])
  await replay(await readTrace(pathname), () => look('ord_2'), { telemetry: otel() })
  expect(exporter.getFinishedSpans()[2].events.map(({ attributes }) => attributes['replay.cause'])).toEqual(['input'])
})
`

it('makes spans in CommonJS under Jest, for the OpenTelemetry of the sandbox', async () => {
  await using workspace = await createJestWorkspace()
  const result = await workspace.jest({ 'jest.config.cjs': environmentConfig, 'a.test.js': TEST })
  expectPassed(result, 1)
  expect(result.stderr).not.toContain('Warning')
}, 120_000)
