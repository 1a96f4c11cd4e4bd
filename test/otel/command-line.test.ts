import { trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { runCommand } from '../support/run-command.ts'
import { named, startTraced } from './traced.ts'

const store = ['--store', 'runs'] as const
const look = tool('look', {}, async (id: string) => ({ id }))

it('leads from a page of observability to a golden: by the id of the trace, and by the URI that its span has', async () => {
  await using traced = await startTraced()
  const { recorder, directory } = traced
  const ids: (string | undefined)[] = []
  for (const order of ['ord_1', 'ord_2']) {
    await trace.getTracer('service').startActiveSpan('request', async (span) => {
      await recorder.run({ agent: 'support', input: order }, async (id) => {
        ids.push(currentRun()?.id)
        return await look(id)
      })
      span.end()
    })
  }
  const spans = (await traced.spans()).filter(({ name }) => name === 'invoke_agent support')
  const root = named(spans, 'invoke_agent support')
  const { traceId } = root.spanContext()

  const listed = await runCommand(directory.path, ['list', '--trace-id', traceId, '--json', ...store])
  expect(listed.stderr).toBe('')
  expect((JSON.parse(listed.stdout) as { recordings: { id: string }[] }).recordings.map(({ id }) => id)).toEqual([ids[0]])

  const promoted = await runCommand(directory.path, ['promote', traceId, '--name', 'looks', '--yes', ...store])
  expect([promoted.status, promoted.stderr]).toEqual([0, ''])
  expect(promoted.stdout).toContain('Wrote golden-traces/looks.jsonl.')
  expect(await directory.read('golden-traces/looks.jsonl')).toContain(`"promotedFrom":"${ids[0]}"`)

  const uri = String(spans[1]?.attributes['replay.capture_uri'])
  const other = await runCommand(directory.path, ['promote', uri, '--name', 'looks-again', '--yes'])
  expect([other.status, other.stderr]).toEqual([0, ''])
  expect(await directory.read('golden-traces/looks-again.jsonl')).toContain(`"promotedFrom":"${ids[1]}"`)
})

it('says which runs there are where several are of one trace', async () => {
  await using traced = await startTraced()
  const { recorder, directory } = traced
  const traceId = await trace.getTracer('service').startActiveSpan('request', async (span) => {
    for (const order of ['ord_1', 'ord_2']) await recorder.run({ agent: 'support', input: order }, look)
    span.end()
    return span.spanContext().traceId
  })
  await recorder.flush()
  const { status, stderr } = await runCommand(directory.path, ['promote', traceId, '--name', 'looks', '--yes', ...store])
  expect(status).toBe(2)
  expect(stderr).toContain(traceId)
  const listed = await runCommand(directory.path, ['list', '--trace-id', traceId, '--json', ...store])
  for (const { id } of (JSON.parse(listed.stdout) as { recordings: { id: string }[] }).recordings) expect(stderr).toContain(id)
})
