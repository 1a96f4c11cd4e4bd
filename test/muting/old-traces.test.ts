import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { assembleTrace } from '../../src/trace/assemble.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

/** A trace as it would be had an earlier release recorded it. */
function ofFormat(format: number, { rows }: Trace): Trace {
  return assembleTrace(
    rows.map((row) => (row.kind === 'run' ? { ...row, format } : row)),
    digest,
  )
}

/** Asks hosts that are muted in formats 1 and 2: a query, and a read of a prompt. */
const agent = async (): Promise<readonly number[]> => {
  const query = await fetch('https://api.datadoghq.com/api/v1/query?query=avg:cpu')
  const prompt = await fetch('https://cloud.langfuse.com/api/public/v2/prompts/support')
  return [query.status, prompt.status]
}

it.each([1, 2])('answers a host that format %d left out, whatever is asked there', async (format) => {
  const { trace } = await recordRun(() => [200, 200])
  const run = await replay(ofFormat(format, trace), agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: [200, 200] }])
})

it.each([1, 2])('compares telemetry to another host, which format %d had recorded', async (format) => {
  const { trace } = await recordRun(() => 'done')
  const send = async (): Promise<string> => {
    await fetch('http://127.0.0.1:4999/loki/api/v1/push', { method: 'POST', body: '{"streams":[]}' }).catch(() => undefined)
    return 'done'
  }
  expect((await replay(ofFormat(format, trace), send)).divergences[0]).toMatchObject({ cause: 'unexpected-call', name: '127.0.0.1:4999' })
  expect((await replay(trace, send)).divergences).toEqual([])
})

it('compares a query in a trace of format 3', async () => {
  const { trace } = await recordRun(() => [200, 200])
  expect((await replay(trace, agent)).divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'api.datadoghq.com' })
})
