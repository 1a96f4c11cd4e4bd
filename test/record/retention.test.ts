import { expect, it, vi } from 'vitest'
import { realTimers } from '../../src/node/real-timers.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { startRetention } from '../../src/record/retention/retention-timer.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import type { TraceStore } from '../../src/stores/trace-store.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it('removes what is not kept any longer, and keeps what a golden was made of', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const promoted = await recordCancel('runs')
  await promote(await readTrace(promoted, { store: 'runs' }), { name: 'cancel' })
  const plain = await recordCancel('runs')
  const flagged = await recordRefundTwice('runs')
  const store = createDirectoryStore('runs')
  const timer = startRetention('test', { successful: '0ms', failed: '0ms' }, store)
  expect(await timer?.pass()).toBe(1)
  expect(await store.list()).toEqual([promoted, flagged])
  expect((await store.find({})).runs.map(({ id }) => id)).toEqual([flagged, promoted])
  expect(await store.read(plain)).toBe(undefined)
  timer?.close()
})

it('removes a hundred thousand at a time at most', async () => {
  const removed: string[] = []
  const runs = Array.from({ length: 100_500 }, (_, index) => ({
    id: String(200_000 - index),
    status: 'returned',
    startedAt: '2026-01-01T00:00:00.000Z',
    flags: [],
    tags: {},
  }))
  const pageOf = (before: string, limit: number): typeof runs => {
    const start = before === '999999' ? 0 : 200_001 - Number(before)
    return runs.slice(start, start + limit)
  }
  const store = {
    find: async ({ before = '999999', limit = 0 }) => ({ runs: pageOf(before, limit), unreadable: [] }),
    remove: async (id: string) => removed.push(id) > 0,
  }
  const timer = startRetention('test', { successful: '1d' }, store as never)
  expect(await timer?.pass()).toBe(100_000)
  expect(removed.length).toBe(100_000)
  timer?.close()
})

it('reports an unreadable store once, and keeps trying', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const waits: { pass: () => void; delay: number | undefined }[] = []
  const wait = vi.spyOn(realTimers, 'setTimeout').mockImplementation(((pass: () => void, delay?: number) => {
    waits.push({ pass, delay })
    return { unref: () => undefined }
  }) as never)
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  try {
    const store = { find: () => Promise.reject(new Error('the disk is gone')), remove: async () => true }
    startRetention('test', { successful: '1d' }, store as never)
    for (const passes of [1, 2]) {
      waits.at(-1)?.pass()
      await vi.waitFor(() => expect(waits).toHaveLength(passes + 1))
    }
    expect(waits.map(({ delay }) => delay)).toEqual([60_000, 3_600_000, 3_600_000])
    expect(warn.mock.calls).toEqual([
      [
        'goldenrun: could not remove expired recordings: Error: the disk is gone. Further failures are not reported; the run itself is not affected.',
        'Warning',
      ],
    ])
  } finally {
    wait.mockRestore()
    warn.mockRestore()
  }
})

it('refuses retention for a store that cannot remove', () => {
  const store: TraceStore = {
    open: () => ({ write: () => undefined, flush: () => undefined, close: () => undefined }),
    list: async () => [],
    read: async () => undefined,
    find: async () => ({ runs: [], unreadable: [] }),
  }
  expect(() => createRecorder({ store, retention: { successful: '7d' } })).toThrow(
    'createRecorder: the option "retention" needs a store that can find and remove runs; this one has no "remove".',
  )
})

it('does not keep the process, and leaves runs alone', async () => {
  await using project = await createTemporaryDirectory()
  const recorder = createRecorder({ store: project.resolve('runs'), retention: { successful: '7d' } })
  expect(await recorder.run({ agent: 'support', input: {} }, () => 'done')).toBe('done')
  await recorder.close()
  await record(project.resolve('runs'), { input: {} }, () => undefined)
  expect((await createDirectoryStore(project.resolve('runs')).find({})).runs).toHaveLength(2)
})
