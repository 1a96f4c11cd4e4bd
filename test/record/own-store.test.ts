import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import type { TraceStore, TraceWriter } from '../../src/stores/trace-store.ts'
import type { Row } from '../../src/trace/rows.ts'
import { collectWarnings } from '../support/collect-warnings.ts'

const server = await listen(async (_request, response) => void response.end('{"ok":true}'))
afterAll(() => server.close())
const warnings = collectWarnings()

const add = tool('add', { effect: 'write' }, async (amount: number) => amount + 1)
const agent = async (input: number): Promise<number> => {
  await (await fetch(server.url)).json()
  return await add(input)
}

/** A store that lists the rows that it is given, and does something with each call. */
function createStore(
  does: (method: string) => unknown,
  more: Partial<TraceStore> = {},
): { readonly store: TraceStore; readonly rows: Row[] } {
  const rows: Row[] = []
  const writer: TraceWriter = {
    write(row) {
      rows.push(row)
      void does('write')
    },
    flush: () => void does('flush'),
    close: () => void does('close'),
    discard: () => void does('discard'),
  }
  const store: TraceStore = {
    open() {
      void does('open')
      return writer
    },
    list: async () => [],
    read: async () => undefined,
    index: () => void does('index'),
    locate(id) {
      void does('locate')
      return id
    },
    ...more,
  }
  return { store, rows }
}

/** All but the reads, by kind and step. */
const stepsOf = (rows: readonly Row[]): string[] => rows.flatMap((row) => ('step' in row && row.kind === 'call' ? [row.name] : []))

it('calls a store outside of the run, whatever that does', async () => {
  const seen: (string | undefined)[] = []
  const work: Promise<unknown>[] = []
  const { store, rows } = createStore((method) => {
    seen.push(currentRun()?.id)
    Math.random()
    Date.now()
    setTimeout(() => undefined, 1)
    if (method !== 'write' || work.length < 5)
      work.push(fetch(server.url, { method: 'POST', body: 'rows' }).then((answer) => answer.text()))
  })
  const recorder = createRecorder({ store, sample: { rest: 1 }, limits: { lateMilliseconds: 0 } })
  expect(await recorder.run({ agent: 'support', input: 1 }, agent)).toBe(2)
  await Promise.all(work)
  await recorder.close()
  expect(new Set(seen)).toEqual(new Set([undefined]))
  expect(stepsOf(rows)).toEqual([new URL(server.url).host, 'add'])
  expect(rows.filter(({ kind }) => kind === 'timer' || kind === 'reads')).toEqual([])
  expect(recorder.stats()).toMatchObject({ recorded: 1, failed: 0 })
})

it('calls methods on the store itself, private fields and all', async () => {
  class OwnStore implements TraceStore {
    readonly #rows: Row[] = []
    open(): TraceWriter {
      return { write: (row) => void this.#rows.push(row), flush: () => undefined, close: () => undefined }
    }
    list = async (): Promise<string[]> => this.#rows.map(({ kind }) => kind)
    async read(): Promise<undefined> {
      return undefined
    }
  }
  const store = new OwnStore()
  const recorder = createRecorder({ store })
  await recorder.run({ agent: 'support', input: 1 }, agent)
  await recorder.close()
  expect(await store.list()).toContain('end')
  expect(recorder.stats().recorded).toBe(1)
})

it('flushes the store with the recorder', async () => {
  let written = 0
  const { store, rows } = createStore(() => undefined, {
    async flush() {
      await sleep(1)
      written = rows.length
    },
  })
  const recorder = createRecorder({ store, limits: { lateMilliseconds: 0 } })
  await recorder.run({ agent: 'support', input: 1 }, agent)
  await recorder.flush()
  expect(written).toBe(rows.length)
  expect(written).toBeGreaterThan(0)
  await recorder.close()
})

it('warns once of a store that cannot flush, and continues', async () => {
  const { store } = createStore(() => undefined, { flush: () => Promise.reject(new Error('no such bucket')) })
  const recorder = createRecorder({ store })
  await recorder.run({ agent: 'support', input: 1 }, agent)
  await recorder.flush()
  await recorder.flush()
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings.splice(0)).toEqual([
    expect.stringMatching(/^goldenrun could not keep the recording \S+: Error: no such bucket\. The run itself is not affected\.$/),
    'goldenrun: a store could not write its buffered rows: Error: no such bucket. Further failures are not reported; the run itself is not affected.',
  ])
  expect(recorder.stats()).toMatchObject({ recorded: 0, failed: 1 })
  await recorder.close()
})

it('waits for a store that never ends no longer than it may', async () => {
  const { store } = createStore(() => undefined, { flush: () => new Promise(() => undefined) })
  const recorder = createRecorder({ store, limits: { closeMilliseconds: 10 } })
  await recorder.run({ agent: 'support', input: 1 }, agent)
  await recorder.flush()
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ begun: 1, recorded: 0, failed: 1, writing: 0, lost: 0 })
  expect(warnings.splice(0)).toEqual([
    expect.stringContaining('could not write its buffered rows: Error: it took longer than limits.closeMilliseconds'),
    expect.stringContaining('could not keep the recording'),
  ])
})

/** A store whose runs are stored when the test says so. */
function createLaterStore(): { readonly store: TraceStore; readonly settle: (error?: Error) => void; readonly abandoned: string[] } {
  const stored = Promise.withResolvers<void>()
  const abandoned: string[] = []
  const writer: TraceWriter = { write: () => undefined, flush: () => undefined, close: () => undefined, stored: stored.promise }
  const { store } = createStore(() => undefined, {
    open: () => writer,
    flush: () => stored.promise,
    abandon: () => void abandoned.push(''),
  })
  return { store, settle: (error) => (error === undefined ? stored.resolve() : stored.reject(error)), abandoned }
}

it('counts a run as recorded only once its store has it', async () => {
  const { store, settle, abandoned } = createLaterStore()
  const recorder = createRecorder({ store, limits: { lateMilliseconds: 0 } })
  await recorder.run({ agent: 'support', input: 1 }, agent)
  expect(recorder.stats()).toMatchObject({ begun: 1, recorded: 0, writing: 1 })
  settle()
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ begun: 1, recorded: 1, writing: 0, failed: 0 })
  expect([abandoned, warnings.splice(0)]).toEqual([[], []])
})

it('counts a run as failed that its store loses after it was closed', async () => {
  const { store, settle } = createLaterStore()
  const recorder = createRecorder({ store, limits: { lateMilliseconds: 0 } })
  await recorder.run({ agent: 'support', input: 1 }, agent)
  settle(new Error('no such bucket'))
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 0, writing: 0, failed: 1 })
  warnings.splice(0)
})

it('lets go of a store that does not answer once no other recorder uses it', async () => {
  const { store, abandoned } = createLaterStore()
  const recorders = [1, 2].map(() => createRecorder({ store, limits: { lateMilliseconds: 0, closeMilliseconds: 10 } }))
  for (const recorder of recorders) await recorder.run({ agent: 'support', input: 1 }, agent)
  await recorders[0]?.close()
  await recorders[0]?.close()
  expect(abandoned).toHaveLength(0)
  await recorders[1]?.close()
  expect(abandoned).toHaveLength(1)
  for (const recorder of recorders) expect(recorder.stats()).toMatchObject({ recorded: 0, writing: 0, failed: 1 })
  warnings.splice(0)
})

it('flushes a store that tells only then what it has, before too many runs wait', async () => {
  let flushes = 0
  const { store } = createStore(() => undefined, { flush: async () => void (flushes += 1) })
  const recorder = createRecorder({ store, limits: { lateMilliseconds: 0 } })
  for (let input = 0; input < 1000; input += 1) await recorder.run({ agent: 'support', input }, () => input)
  await expect.poll(() => recorder.stats()).toMatchObject({ recorded: 1000, writing: 0 })
  expect(flushes).toBe(1)
  await recorder.close()
})

it('counts a run as failed whose store reports later that it could not be kept', async () => {
  let report: (id: string, error: unknown) => void = () => undefined
  const { store } = createStore(() => undefined, {
    reports(onFailure) {
      report = onFailure
    },
  })
  const recorder = createRecorder({ store, limits: { lateMilliseconds: 0 } })
  const id = await recorder.run({ agent: 'support', input: 1 }, async () => currentRun()?.id ?? '')
  expect(recorder.stats()).toMatchObject({ recorded: 1, failed: 0 })
  report(id, new Error('no such bucket'))
  report(id, new Error('no such bucket'))
  report('another', new Error('no such bucket'))
  expect(recorder.stats()).toMatchObject({ recorded: 0, failed: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings.splice(0).map((text) => text.replace(id, '<id>'))).toEqual([
    'goldenrun could not keep the recording <id>: Error: no such bucket. The run itself is not affected.',
  ])
  await recorder.close()
})
