import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import type { RunSummary } from '../../src/stores/run-summary.ts'
import { storeChecks, type Capability, type CheckedStore, type TraceStore } from '../../src/testing.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'

const stores: DirectoryStore[] = []
afterAll(async () => {
  // An index that is written after its folder has gone would bring it back.
  for (const store of stores) await store.flush()
  for (const { directory } of stores) rmSync(path.dirname(directory), { recursive: true, force: true, maxRetries: 3 })
})

function openStore(directory: string): DirectoryStore {
  const store = createDirectoryStore(directory)
  stores.push(store)
  return store
}

const createStore = (): DirectoryStore => openStore(path.join(mkdtempSync(path.join(tmpdir(), 'goldenrun-store-')), 'runs'))

const capabilities: readonly Capability[] = ['index', 'locate', 'find', 'remove', 'flag', 'flush', 'readStep', 'discard']
const reopen = (store: TraceStore): TraceStore => openStore((store as DirectoryStore).directory)

describe('a directory', () => {
  const checks = storeChecks({ create: createStore, capabilities, reopen })
  it.each(checks)('passes: $name', async ({ run }) => {
    await expect(run()).resolves.toBe(undefined)
  })
})

/** The least that a store can be. */
function createMemoryStore(): TraceStore {
  const runs = new Map<string, string[]>()
  return {
    open({ id }) {
      const encoder = createEncoder()
      const waiting: string[] = []
      const flush = (): void => {
        if (waiting.length > 0) runs.set(id, [...(runs.get(id) ?? []), ...waiting.splice(0)])
      }
      return { write: (row) => void waiting.push(...encoder.encode(row)), flush, close: flush }
    },
    list: async () => [...runs.keys()].toSorted(),
    read: async (id) => {
      const lines = runs.get(id)
      return lines === undefined ? undefined : { file: id, text: `${lines.join('\n')}\n` }
    },
  }
}

describe('a store in memory that can keep recordings only', () => {
  const checks = storeChecks({ create: createMemoryStore, capabilities: [] })
  it.each(checks)('passes: $name', async ({ run }) => {
    await expect(run()).resolves.toBe(undefined)
  })
})

/** For each check a store that is broken in what it is about. */
const broken: Readonly<Record<string, (store: DirectoryStore) => TraceStore>> = {
  'can do what it says, and no more': ({ find: _find, ...store }) => store,
  'keeps every row of a run, in order': (store) => ({
    ...store,
    open(header) {
      const writer = store.open(header)
      return Object.assign(Object.create(writer) as typeof writer, {
        write: (row: Parameters<typeof writer.write>[0]) => row.kind !== 'reads' && writer.write(row),
        flush: () => writer.flush(),
        close: () => writer.close(),
      })
    },
  }),
  'has nothing where there is nothing': (store) => ({ ...store, read: async (id) => (await store.read(id)) ?? { file: id, text: '' } }),
  'lists its recordings, the oldest first': (store) => ({ ...store, list: async () => (await store.list()).toReversed() }),
  'keeps runs apart that are written at once': (store) => {
    let last: ReturnType<typeof store.open> | undefined
    return {
      ...store,
      open(header) {
        const own = store.open(header)
        last = own
        return { write: (row) => (row.kind === 'run' ? own : last)?.write(row), flush: () => own.flush(), close: () => own.close() }
      },
    }
  },
  'has what was flushed before the run ends': (store) => ({
    ...store,
    open(header) {
      const writer = store.open(header)
      return { write: (row) => writer.write(row), flush: () => undefined, close: () => writer.close() }
    },
  }),
  'reads nothing by an id that is a path': (store) => ({
    ...store,
    read: async (id) => (id.includes('..') ? { file: id, text: 'secret' } : store.read(id)),
  }),
  'shows another instance what it holds': (store) => store,
  'leaves nothing of a run that is discarded': (store) => ({
    ...store,
    open(header) {
      const writer = store.open(header)
      return { write: (row) => writer.write(row), flush: () => writer.flush(), close: () => writer.close(), discard: () => writer.close() }
    },
  }),
  'says where a recording lies, before there is one and after': (store) => ({ ...store, locate: () => 'file:///runs' }),
  'finds runs by what is known of them': (store) => ({ ...store, find: ({ error: _error, ...query }) => store.find(query) }),
  'finds the newest first, so many, and those before a run': (store) => ({
    ...store,
    find: ({ before: _before, ...query }) => store.find(query),
  }),
  'finds a run in flight, and then how it ended': (store) => {
    const first = new Map<string, RunSummary>()
    return {
      ...store,
      index: (summary) => void (first.has(summary.id) || first.set(summary.id, summary)),
      find: async ({ status }) => ({ runs: [...first.values()].filter((run) => run.status === status), unreadable: [] }),
    }
  },
  'removes a recording and nothing else': (store) => ({ ...store, remove: async () => true }),
  'finds no run that was removed': (store) => {
    let seen: readonly RunSummary[] | undefined
    return { ...store, find: async (query) => ({ runs: (seen ??= (await store.find(query)).runs), unreadable: [] }) }
  },
  'flags a recording, and none that is not there': (store) => ({ ...store, flag: async () => true }),
  'finds a run by the flag of a person, and says why': (store) => ({ ...store, flag: async () => true }),
  'gives a step alone as it stands in the recording': (store) => ({
    ...store,
    readStep: async (id, step) => (await store.readStep(id, step)).slice(1),
  }),
  'holds what was written once it was flushed': (store) => ({ ...store, read: async () => undefined }),
  'can be used after it was flushed': (store) => {
    let isFlushed = false
    return {
      ...store,
      flush: async () => void (isFlushed = true),
      list: async () => (isFlushed ? (await store.list()).slice(0, 1) : store.list()),
    }
  },
}

describe('a store that is broken', () => {
  const checks = (create: CheckedStore['create'], other = reopen): ReturnType<typeof storeChecks> =>
    storeChecks({ create, capabilities, reopen: other })
  it('has a check for each way in which it is, and a way for each check', () => {
    expect(Object.keys(broken)).toEqual(checks(createStore).map(({ name }) => name))
  })
  for (const [name, breakStore] of Object.entries(broken)) {
    it(`does not pass: ${name}`, async () => {
      const [check] = checks(() => breakStore(createStore()), name.includes('another instance') ? createStore : undefined).filter(
        (candidate) => candidate.name === name,
      )
      await expect(check?.run()).rejects.toThrow(expect.objectContaining({ code: 'ERR_ASSERTION' }))
    })
  }
})

/** A store that keeps what it is given when it is flushed, and can fail to. */
function createLateStore(isSilent = false): TraceStore & { isDown: boolean } {
  const inner = createMemoryStore()
  let waiting: { readonly id: string; readonly keep: () => void }[] = []
  let report: (id: string, error: unknown) => void = () => undefined
  const store: TraceStore & { isDown: boolean } = {
    ...inner,
    isDown: false,
    open(header) {
      const writer = inner.open(header)
      return {
        write: (row) => writer.write(row),
        flush: () => writer.flush(),
        close: () => void waiting.push({ id: header.id, keep: () => writer.close() }),
      }
    },
    reports: (onFailure) => void (report = onFailure),
    async flush() {
      for (const { id, keep } of waiting.splice(0)) {
        if (!store.isDown) keep()
        else if (!isSilent) report(id, new Error('It is down.'))
      }
      waiting = []
    },
  }
  return store
}

describe('a store that fails later', () => {
  const checks = (isSilent: boolean): ReturnType<typeof storeChecks> =>
    storeChecks({
      create: () => createLateStore(isSilent),
      capabilities: ['flush', 'reports'],
      fail: (store) => void ((store as ReturnType<typeof createLateStore>).isDown = true),
    }).filter(({ name }) => name === 'reports the recording that it could not keep')
  it('passes where it reports that', async () => {
    expect(checks(false)).toHaveLength(1)
    await expect(checks(false)[0]?.run()).resolves.toBe(undefined)
  })
  it('does not pass where it says nothing', async () => {
    await expect(checks(true)[0]?.run()).rejects.toThrow(expect.objectContaining({ code: 'ERR_ASSERTION' }))
  })
})
