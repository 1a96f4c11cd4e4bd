import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect, it, vi } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { RunIndex } from '../../src/stores/run-index/run-index.ts'
import { StoredRun } from '../../src/stores/stored-run.ts'
import { StoreFiles } from '../../src/stores/store-files.ts'
import type { RunQuery } from '../../src/stores/run-summary.ts'
import { RunSummarizer, summarizeRows } from '../../src/stores/summarize-run.ts'
import type { Row } from '../../src/trace/rows.ts'
import { record } from '../support/recordings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { fillDisk } from '../support/full-disk.ts'
import { find, kept, recordFour } from './indexed-runs.ts'

it('finds runs by each thing that is known of them, the newest first', async () => {
  await using project = await createTemporaryDirectory()
  const { store, ids } = await recordFour(project)
  const [cancel, refund, triage, flagged] = ids
  const { runs } = await store.find({})
  const about = (id = ''): Awaited<ReturnType<typeof store.find>>['runs'][number] | undefined => runs.find((run) => run.id === id)

  expect(runs.map(({ id }) => id)).toEqual(ids.toReversed())
  const found: readonly (readonly [query: RunQuery, expected: (string | undefined)[]])[] = [
    [{ agent: 'support' }, [flagged, refund, cancel]],
    [{ agent: 'supp' }, []],
    [{ agentVersion: '1.4.0' }, [cancel]],
    [{ status: 'threw' }, [triage]],
    [{ status: 'returned', agent: 'support', tags: { user: '42' } }, [cancel]],
    [{ traceId: about(refund)?.traceId ?? '' }, [refund]],
    [{ tags: { user: '42' } }, [triage, cancel]],
    [{ tags: { user: '42', plan: 'free' } }, [triage]],
    [{ tags: { user: '4' } }, []],
    [{ tool: 'get_order' }, [refund, cancel]],
    [{ tool: 'get_order', agent: 'triage' }, []],
    [{ error: 'timed out' }, [triage]],
    [{ error: 'typeerror mailbox' }, [triage]],
    [{ error: 'mailbox full' }, []],
    [{ repeatedSideEffects: true }, [refund]],
    [{ flagged: true }, [flagged, refund]],
    [{ since: about(triage)?.startedAt ?? '' }, [flagged, triage]],
    [{ before: triage ?? '' }, [refund, cancel]],
    [{ before: triage ?? '', limit: 1 }, [refund]],
    [{ agent: 'support', limit: 2 }, [flagged, refund]],
    [{ model: 'gpt-4.1' }, []],
  ]
  for (const [query, expected] of found) expect([query, await find(store, query)]).toEqual([query, expected])
})

it('finds the same where every recording has to be read, and says why it had to', async () => {
  await using project = await createTemporaryDirectory()
  const { store, ids, directory } = await recordFour(project)
  const indexed = await store.find({})
  rmSync(`${directory}/index`, { recursive: true })
  writeFileSync(`${directory}/index`, 'no directory')

  const scanned = await store.find({})
  expect({ ...scanned, scanned: undefined }).toEqual(indexed)
  expect(scanned.scanned).toMatch(/^Every recording was read, because its index cannot be used: E[A-Z]+: /)
  expect(await find(store, { tool: 'get_order', limit: 1 })).toEqual([ids[1]])
})

it('knows models and tokens', async () => {
  await using project = await createTemporaryDirectory()
  await using provider = await startProvider({
    script: Array.from({ length: 2 }, () => ({ text: 'Hello.', usage: { inputTokens: 30, outputTokens: 4 } })),
  })
  const directory = project.resolve('runs')
  const id = await record(directory, { input: {} }, async () => {
    for (const [model, stream] of [
      ['gpt-4.1', false],
      ['gpt-4.1-mini', true],
    ]) {
      const body = JSON.stringify({ model, stream, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'Hi' }] })
      await (await fetch(`${provider.openaiBaseUrl}/chat/completions`, { method: 'POST', body })).text()
    }
  })
  const store = createDirectoryStore(directory)
  expect(await store.find({ model: 'gpt-4.1-mini' })).toMatchObject({
    runs: [{ id, modelCalls: 2, models: ['gpt-4.1', 'gpt-4.1-mini'], usage: { inputTokens: 60, outputTokens: 8 } }],
  })
})

it.each([
  ['JSON', { json: { id: 'resp_1', usage: { input_tokens: 30, output_tokens: 4 } } }],
  ['text', { text: '{"id":"resp_1","usage":{"input_tokens":30,"output_tokens":4}}' }],
])('knows the tokens of an answer that came as a whole, as %s', (_, body) => {
  const { header, rows } = sampleRun(1)
  const [call] = rows
  if (call === undefined) throw new RangeError('a sample run has a call')
  const whole: Row = { kind: 'return', step: 1, at: 2, output: { status: 200, headers: [], ...body } }
  expect(summarizeRows([header, call, whole]).usage).toEqual({ inputTokens: 30, outputTokens: 4 })
})

it('tells how many recordings it has read of how many, where its index was lost', async () => {
  await using project = await createTemporaryDirectory()
  const store = createDirectoryStore(project.resolve('runs'))
  for (let second = 1; second <= 250; second += 1) writeRun(store, sampleRun(second))
  await store.flush()
  const told: [read: number, of: number][] = []
  await store.find({}, (...reading) => told.push(reading))
  expect(told).toEqual([])
  rmSync(project.resolve('runs/index'), { recursive: true })
  await store.find({}, (...reading) => told.push(reading))
  expect(told).toEqual([
    [0, 250],
    [200, 250],
  ])
})

it('takes up recordings that were put there by hand, and forgets those that were taken away', async () => {
  await using project = await createTemporaryDirectory()
  const { store, ids, directory } = await recordFour(project)
  const [first = '', second = ''] = ids
  const text = (await store.read(first))?.text ?? ''
  await find(store, {})
  rmSync(`${directory}/${second}.runlog`)
  await project.write('runs/copied.jsonl', text.replaceAll(first, 'copied'))

  expect((await find(store, {})).toSorted()).toEqual([...ids.filter((id) => id !== second), 'copied'].toSorted())
  expect(await find(store, { tags: { user: '42' }, tool: 'cancel_order' })).toHaveLength(2)
})

it('shows a run in flight, and then how it ended', async () => {
  await using project = await createTemporaryDirectory()
  const store = createDirectoryStore(project.resolve('runs'))
  const recorder = createRecorder({ store })
  const gate = Promise.withResolvers<void>()
  const run = recorder.run({ agent: 'support', input: {} }, async () => {
    checkpoint('begun')
    await gate.promise
  })
  await vi.waitUntil(async () => (await store.list()).length === 1)
  const other = createDirectoryStore(project.resolve('runs'))
  expect(await other.find({ status: 'in-flight' })).toMatchObject({ runs: [{ agent: 'support', steps: 0 }] })
  gate.resolve()
  await run
  expect(await other.find({ status: 'in-flight' })).toEqual({ runs: [], unreadable: [] })
  expect(await other.find({ status: 'returned' })).toMatchObject({ runs: [{ durationMs: expect.any(Number) }] })
  await recorder.close()
})

it('shows what a run in flight has done since its recorder told of it, when the process is gone', async () => {
  await using project = await createTemporaryDirectory()
  const recorder = createDirectoryStore(project.resolve('runs'))
  writeRun(recorder, sampleRun(1, { status: 'in-flight' }))
  // Told of with its header, written when there were two steps.
  await recorder.flush()
  const { runs } = await createDirectoryStore(project.resolve('runs')).find({})
  expect(runs.map(({ status, steps, tools }) => ({ status, steps, tools }))).toEqual([
    { status: 'in-flight', steps: 2, tools: ['get_order'] },
  ])
})

it('shows how a run ended whose recording is still open', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const store = createDirectoryStore(directory)
  const { header, rows } = sampleRun(1)
  const run = new StoredRun(store, header)
  for (const row of [header, ...rows]) run.write(row)
  run.flush()
  await store.flush()
  expect(kept(directory)).toMatchObject([{ id: header.id, status: 'returned' }])
  run.close()
})

it('shows a run whose end could not be written as in flight, as its recording does', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const store = createDirectoryStore(directory)
  const { header, rows } = sampleRun(1)
  const run = new StoredRun(store, header)
  for (const row of [header, ...rows.slice(0, 1)]) run.write(row)
  run.flush()
  const disk = fillDisk()
  for (const row of rows.slice(1)) run.write(row)
  run.flush()
  await store.flush()
  expect(() => run.close()).toThrow('ENOSPC')
  disk.release()
  await store.flush()
  const reader = createDirectoryStore(directory)
  const { text = '' } = (await reader.read(header.id)) ?? {}
  expect([text.includes('"kind":"end"'), text.match(/"kind":"call"/g)?.length]).toEqual([false, 1])
  expect((await reader.find({})).runs).toMatchObject([{ id: header.id, status: 'in-flight', steps: 1 }])
})

it('removes a run with all that belongs to it', async () => {
  await using project = await createTemporaryDirectory()
  const { store, ids } = await recordFour(project)
  const [id = '', ...others] = ids
  await store.flag(id, 'look')
  expect(await store.remove(id)).toBe(true)
  expect(await store.remove(id)).toBe(false)
  expect(await find(store, {})).toEqual(others.toReversed())
  expect([await store.read(id), existsSync(project.resolve('runs', `${id}.flags`))]).toEqual([undefined, false])
})

it('keeps nothing of a run that it had in flight and that is discarded', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const store = createDirectoryStore(directory)
  const { header, rows } = sampleRun(1)
  const run = new StoredRun(store, header)
  for (const row of [header, ...rows.slice(0, -1)]) run.write(row)
  run.flush()
  await store.flush()
  expect(kept(directory)).toMatchObject([{ id: header.id, status: 'in-flight' }])
  for (const row of rows.slice(-1)) run.write(row)
  run.close(() => false)
  await store.flush()
  // A look for runs would notice that the recording is gone.
  expect(kept(directory)).toEqual([])
})

it('flags a run, in flight or not, and keeps it flagged', async () => {
  await using project = await createTemporaryDirectory()
  const { store, ids, directory } = await recordFour(project)
  const [id = ''] = ids
  expect(await store.flag(id, 'the customer wrote')).toBe(true)
  expect(await store.flag('nobody', 'the customer wrote')).toBe(false)
  expect((await store.find({ flagged: true, tags: { user: '42' } })).runs).toMatchObject([{ id, flags: ['the customer wrote'] }])

  const recorder = createRecorder({ store })
  let running = ''
  await recorder.run({ agent: 'support', input: {} }, async () => {
    running = currentRun()?.id ?? ''
    await vi.waitUntil(async () => createDirectoryStore(directory).flag(running, 'takes long'))
    currentRun()?.flag('own')
  })
  await recorder.close()
  expect((await store.find({ limit: 1 })).runs).toMatchObject([{ id: running, flags: ['own', 'takes long'] }])
})

it.each([
  ['lost', (directory: string) => rmSync(`${directory}/index`, { recursive: true })],
  ['no index at all', (directory: string) => writeFileSync(`${directory}/index/runs.sqlite`, 'a text')],
  ['cut', (directory: string) => writeFileSync(`${directory}/index/runs.sqlite`, '')],
])('makes an index that is %s anew from the recordings, equal to the one that was kept', async (_damage, damage) => {
  await using project = await createTemporaryDirectory()
  const { store, directory, ids } = await recordFour(project)
  const before = kept(directory)
  expect(before).toHaveLength(4)
  damage(directory)
  rmSync(`${directory}/index/runs.sqlite-wal`, { force: true })
  rmSync(`${directory}/index/runs.sqlite-shm`, { force: true })

  expect(await find(store, { agent: 'support' })).toEqual([ids[3], ids[1], ids[0]])
  expect(kept(directory)).toEqual(before)
})

it('rebuilds an index that is damaged inside', async () => {
  await using project = await createTemporaryDirectory()
  const { store, directory } = await recordFour(project)
  const before = kept(directory)
  const file = `${directory}/index/runs.sqlite`
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096)
  writeFileSync(file, bytes)
  await find(store, { agent: 'support' })
  expect(kept(directory)).toEqual(before)
})

it('names a recording that cannot be read, and takes it up once it can', async () => {
  await using project = await createTemporaryDirectory()
  const { store, ids } = await recordFour(project)
  const [id = ''] = ids
  const text = (await store.read(id))?.text ?? ''
  await project.write('runs/broken.jsonl', '{')
  expect(await store.find({ agent: 'triage' })).toMatchObject({ runs: [{ id: ids[2] }], unreadable: ['broken'] })
  await project.write('runs/broken.jsonl', text.replaceAll(id, 'broken'))
  expect((await store.find({})).unreadable).toEqual([])
})

// More of them: run-index.slow.test.ts.
it('leaves an agent alone where the index cannot be written', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('runs/index', 'no directory')
  const store = createDirectoryStore(project.resolve('runs'))
  const recorder = createRecorder({ store })
  expect(await recorder.run({ agent: 'support', input: {} }, () => 'done')).toBe('done')
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 1, failed: 0 })
  expect(await find(store, {})).toHaveLength(1)
})

it('knows of a run what is in its recording and nothing else', () => {
  const header = { id: 'a', traceId: 'b', agent: 'c', startedAt: '2026-11-21T02:14:06.000Z' }
  const summarizer = new RunSummarizer(header as never)
  summarizer.add({ kind: 'end', at: 5, error: { name: 'Error', message: 'no' } })
  expect(summarizer.summary).toMatchObject({ status: 'threw', durationMs: 5, error: { name: 'Error', message: 'no' } })
})

it.each([
  ['no JSON', '{"id":'],
  ['another shape', '{"id":5}'],
  ['a list', '[]'],
  ['an odd time', (text: string): string => text.replace(/"startedAt":"[^"]*"/, '"startedAt":"soon"')],
  ['tags of other things', (text: string): string => text.replace(/"tags":\{[^}]*\}/, '"tags":{"user":{"deep":1}}')],
])('makes an index anew in which a row holds %s', async (_, broken) => {
  await using project = await createTemporaryDirectory()
  const { store, ids, directory } = await recordFour(project)
  expect(await find(store, {})).toHaveLength(4)
  const database = new DatabaseSync(new StoreFiles(directory).indexFile)
  const [row] = database.prepare('SELECT number, summary FROM runs ORDER BY number LIMIT 1').all()
  const text = typeof broken === 'string' ? broken : broken(String(row?.['summary']))
  expect(text).not.toBe(row?.['summary'])
  database.prepare('UPDATE runs SET summary = ? WHERE number = ?').run(text, Number(row?.['number']))
  database.close()
  const found = await createDirectoryStore(directory).find?.({})
  expect(found?.runs.map(({ id }) => id)).toEqual(ids.toReversed())
  expect(found).not.toHaveProperty('scanned')
  expect(kept(directory)).toHaveLength(4)
})

it('knows how many bytes its recordings have together', async () => {
  await using project = await createTemporaryDirectory()
  const store = createDirectoryStore(project.resolve('runs'))
  expect(await store.size()).toBe(0)
  for (const second of [1, 2, 3]) writeRun(store, sampleRun(second))
  await store.flush()
  const sum = async (): Promise<number> => (await store.find({})).runs.reduce((bytes, run) => bytes + (run.bytes ?? 0), 0)
  expect(await store.size()).toBe(await sum())
  const [newest] = (await store.find({})).runs
  await store.remove(newest?.id ?? '')
  await store.flag(sampleRun(1).header.id, 'look')
  await store.flush()
  expect(await store.size()).toBe(await sum())
  expect(await sum()).toBeGreaterThan(0)
})

it('leaves nothing of a run that is removed in any file of the index', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  await record(directory, { input: {}, tags: { user: 'hortensia' } }, () => {
    throw new Error('hortensia has no order')
  })
  const store = createDirectoryStore(directory)
  // Another process has the index open, and its log of changes with it.
  const open = new RunIndex(new StoreFiles(directory).indexFile, 1000)
  const [run] = (await store.find({ tags: { user: 'hortensia' } })).runs
  expect(await store.removeMany([run?.id ?? ''])).toEqual([run?.id])
  await store.flush()
  const files = readdirSync(`${directory}/index`)
  expect(files).toContain('runs.sqlite')
  for (const file of files)
    expect([file, readFileSync(`${directory}/index/${file}`, 'latin1').includes('hortensia')]).toEqual([file, false])
  open.close()
})

it('waits for another process that writes to a new index, whose log SQLite does not turn over then', async () => {
  await using directory = await createTemporaryDirectory()
  const file = directory.resolve('index.db')
  const other = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     const { DatabaseSync } = require('node:sqlite')
     const database = new DatabaseSync(workerData, { timeout: 5000 })
     database.exec('CREATE TABLE other (id); BEGIN IMMEDIATE; INSERT INTO other VALUES (1)')
     parentPort.postMessage('holds the file')
     setTimeout(() => { database.exec('COMMIT'); database.close() }, 100)`,
    { eval: true, workerData: file },
  )
  await once(other, 'message')
  const index = new RunIndex(file, 1000)
  expect(index.ids()).toEqual([])
  index.close()
  await once(other, 'exit')
})
