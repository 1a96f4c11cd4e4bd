import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { readRecording, writeRecording } from '../support/read-recording.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('lists the recordings of a store from the oldest to the newest', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const ids = [
    await recordCancel(store),
    await recordRefundTwice(store),
    await record(store, { agent: 'other', input: {} }, () => {
      throw new Error('no')
    }),
  ]

  const summaries = await listTraces({ store })
  expect(summaries).toEqual(await listTraces({ store: createDirectoryStore(store) }))
  expect(summaries).toEqual([
    {
      id: ids[0],
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      agent: 'support',
      agentVersion: '1.4.0',
      status: 'returned',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      durationMs: expect.any(Number),
      steps: 2,
      modelCalls: 0,
      toolCalls: 2,
      models: [],
      tools: ['get_order', 'cancel_order'],
      tags: { user: '42' },
      file: `.goldenrun/runs/${ids[0]}.runlog`,
      repeatedSideEffects: 0,
      effects: [{ name: 'cancel_order', hash: expect.stringMatching(/^[0-9a-f]{32}$/), step: 2, at: expect.any(Number) }],
      usage: { inputTokens: 0, outputTokens: 0 },
      bytes: (await readFile(`${store}/${ids[0]}.runlog`)).length,
      flags: [],
    },
    expect.objectContaining({ id: ids[1], steps: 3, tags: {}, flags: ['refund_order: step 3 repeats step 2'], repeatedSideEffects: 1 }),
    expect.objectContaining({ id: ids[2], agent: 'other', status: 'threw', steps: 0, error: { name: 'Error', message: 'no' } }),
  ])
})

it('lists the golden traces of the project when no store is named', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  await promote(await readTrace(id), { name: 'b/cancel', promotedAt: '2026-11-21T02:14:06.000Z' })
  await promote(await readTrace(id), { name: 'cancel' })

  const summaries = await listTraces()
  expect(summaries.map(({ file, golden }) => [file, golden?.name])).toEqual([
    ['golden-traces/b/cancel.jsonl', 'b/cancel'],
    ['golden-traces/cancel.jsonl', 'cancel'],
  ])
  expect(summaries[0]?.golden).toEqual({
    name: 'b/cancel',
    expect: { replay: 'same' },
    promotedAt: '2026-11-21T02:14:06.000Z',
    promotedFrom: id,
  })
})

it('lists nothing where nothing was recorded or promoted', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  expect(await listTraces()).toEqual([])
  expect(await listTraces({ store })).toEqual([])
})

it('lists a run without an end as in flight', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  const rows = (await readRecording(store, id)).text.trimEnd().split('\n')
  await writeRecording(store, id, `${rows.slice(0, -2).join('\n')}\n`)
  expect(await listTraces({ store })).toMatchObject([{ id, status: 'in-flight', steps: 2 }])
})

it('tells of a trace that cannot be read, and lists the others', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  await project.write(`${store}/broken.jsonl`, '')

  const unreadable: string[] = []
  const summaries = await listTraces({ store, onUnreadable: (trace, { code }) => unreadable.push(`${trace} ${code}`) })
  expect(summaries.map((summary) => summary.id)).toEqual([id])
  expect(unreadable).toEqual(['broken GOLDENRUN_TRACE_FORMAT'])
})
