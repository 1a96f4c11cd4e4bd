import { deepStrictEqual } from 'node:assert/strict'
import type { RunQuery } from '../run-summary.ts'
import { summarizeRows } from '../summarize-run.ts'
import type { TraceStore } from '../trace-store.ts'
import { found, idOf, sampleRun, writeRun } from './sample-runs.ts'

export async function findsRuns(store: TraceStore): Promise<void> {
  writeRun(store, sampleRun(1, { agentVersion: '1', tags: { user: '42' } }))
  writeRun(
    store,
    sampleRun(2, {
      agentVersion: '2',
      tags: { user: '42', plan: 'free' },
      tool: 'refund',
      idempotencyKey: 'refund-7',
      notes: [['repeated-side-effect', 'refund: step 2 repeats step 1']],
    }),
  )
  writeRun(store, sampleRun(3, { agent: 'triage', status: 'threw', error: 'The mailbox timed out', model: 'claude' }))
  writeRun(store, sampleRun(4, { notes: [['flagged', 'look']] }))
  const queries: readonly (readonly [query: RunQuery, seconds: readonly number[]])[] = [
    [{}, [4, 3, 2, 1]],
    [{ agent: 'triage' }, [3]],
    [{ agentVersion: '1' }, [1]],
    [{ status: 'threw' }, [3]],
    [{ traceId: sampleRun(2).header.traceId }, [2]],
    [{ tags: { user: '42' } }, [2, 1]],
    [{ tags: { user: '42', plan: 'free' } }, [2]],
    [{ tags: { user: '4' } }, []],
    [{ tool: 'refund' }, [2]],
    [{ model: 'claude' }, [3]],
    [{ error: 'mailbox' }, [3]],
    [{ error: 'OUT timed' }, [3]],
    [{ error: 'time' }, []],
    [{ repeatedSideEffects: true }, [2]],
    [{ idempotencyKey: 'refund-7' }, [2]],
    [{ idempotencyKey: 'refund' }, []],
    [{ flagged: true }, [4, 2]],
    [{ since: sampleRun(3).header.startedAt }, [4, 3]],
    [{ agent: 'support', tags: { user: '42' }, tool: 'refund', since: sampleRun(1).header.startedAt }, [2]],
  ]
  for (const [query, seconds] of queries) {
    deepStrictEqual(await found(store, query), seconds.map(idOf), `find(${JSON.stringify(query)})`)
    const all = store.findAll && (await Array.fromAsync(store.findAll(query), ({ id }) => id))
    if (all !== undefined) deepStrictEqual(all, seconds.map(idOf), `findAll(${JSON.stringify(query)})`)
  }
  const [summary] = (await store.find?.({ traceId: sampleRun(2).header.traceId }))?.runs ?? []
  deepStrictEqual(
    [summary?.durationMs, summary?.steps, summary?.models, summary?.tools, summary?.usage, summary?.repeatedSideEffects],
    [9, 2, ['gpt-4.1'], ['refund'], { inputTokens: 30, outputTokens: 4 }, 1],
  )
}

export async function findsInOrder(store: TraceStore): Promise<void> {
  for (const second of [2, 5, 1, 4, 3]) writeRun(store, sampleRun(second))
  deepStrictEqual(await found(store, { limit: 2 }), [5, 4].map(idOf))
  deepStrictEqual(await found(store, { limit: 2, before: idOf(4) }), [3, 2].map(idOf))
  deepStrictEqual(await found(store, { agent: 'support', before: idOf(2) }), [idOf(1)])
}

export async function findsInFlight(store: TraceStore): Promise<void> {
  writeRun(store, sampleRun(1, { status: 'in-flight' }))
  deepStrictEqual(await found(store, { status: 'in-flight' }), [idOf(1)])
  const { header, rows } = sampleRun(2)
  const summary = summarizeRows([header])
  const writer = store.open({ ...header, input: undefined })
  for (const row of [header, ...rows]) writer.write(row)
  store.index?.(summary)
  writer.close()
  store.index?.({ ...summary, status: 'returned', durationMs: 9 })
  deepStrictEqual(await found(store, { status: 'returned' }), [idOf(2)])
}

export async function findsNoRemoved(store: TraceStore): Promise<void> {
  for (const second of [1, 2]) writeRun(store, sampleRun(second))
  await found(store, {})
  await store.remove?.(idOf(1))
  deepStrictEqual(await found(store, {}), [idOf(2)])
}

export async function findsFlagged(store: TraceStore): Promise<void> {
  for (const second of [1, 2]) writeRun(store, sampleRun(second))
  await store.flag?.(idOf(1), 'the customer wrote')
  const { runs } = (await store.find?.({ flagged: true })) ?? {}
  deepStrictEqual(
    runs?.map(({ id, flags: reasons }) => [id, reasons]),
    [[idOf(1), ['the customer wrote']]],
  )
}
