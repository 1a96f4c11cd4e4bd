import { expect, it } from 'vitest'
import { otel } from '../../src/otel.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { tool } from '../../src/run/tool.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { pathsOf, startTracing } from './traced.ts'

const warnings = collectWarnings()
const look = tool('look', {}, async (id: number) => ({ id }))

it('is told of the first run of a recorder that the thread hears of while it is busy with another’s', async () => {
  await using directory = await createTemporaryDirectory()
  using tracing = startTracing()
  const plain = await recordOnThread(directory.resolve('plain'))
  const traced = createRecorder({ store: directory.resolve('traced'), telemetry: otel() })
  await plain.run({ agent: 'busy', input: 'word '.repeat(1_000_000) }, () => 0)
  // The thread takes the first question, and finds the second before it hears of the recorder.
  const flushed = Promise.all([plain.flush(), plain.flush()])
  await traced.run({ agent: 'support', input: 1 }, look)
  await flushed
  await Promise.all([traced.close(), plain.close()])
  expect(pathsOf(tracing.exporter.getFinishedSpans())).toEqual(['invoke_agent support', 'invoke_agent support > execute_tool look'])
  const [step] = tracing.exporter.getFinishedSpans().filter(({ name }) => name === 'execute_tool look')
  expect(step?.attributes).toMatchObject({ 'replay.step': 1 })
  expect(warnings).toEqual([])
})
