import { afterAll, describe, expect, it } from 'vitest'
import type { DirectoryStore } from '../../src/stores/directory-store.ts'
import type { RunSummary } from '../../src/stores/run-summary.ts'
import { storeChecks, type CheckedStore, type TraceStore } from '../../src/testing.ts'
import type { StoredLog } from '../../src/stores/trace-store.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import { capabilities, createStore, diskFaults, failDisk, failIndex, removeStores, reopen } from './checked-directories.ts'

afterAll(removeStores, 120_000)

// Among 10,000 runs: conformance.slow.test.ts.
describe('a directory', () => {
  const checks = storeChecks({
    create: createStore,
    capabilities,
    reopen,
    fail: failIndex,
    misbehave: failDisk,
    faults: diskFaults,
    manyRuns: 1000,
  })
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
  const checks = storeChecks({ create: createMemoryStore, capabilities: [], manyRuns: 1000 })
  it.each(checks)('passes: $name', async ({ run }) => {
    await expect(run()).resolves.toBe(undefined)
  })
})

/** For each check a store that is broken in what it is about. */
const broken: Readonly<Record<string, (store: DirectoryStore) => TraceStore>> = {
  'has the declared capabilities and no others': ({ find: _find, ...store }) => store,
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
  'starts empty': (store) => ({ ...store, read: async (id) => (await store.read(id)) ?? { file: id, text: '' } }),
  'lists its recordings, oldest first': (store) => ({ ...store, list: async () => (await store.list()).toReversed() }),
  // Narrows a listing from the wrong end.
  'lists ids by prefix, order and limit': (store) => ({ ...store, list: async ({ limit } = {}) => (await store.list()).slice(0, limit) }),
  'keeps runs apart that are written at the same time': (store) => {
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
  'returns flushed rows before the run ends': (store) => ({
    ...store,
    open(header) {
      const writer = store.open(header)
      const rows: Parameters<typeof writer.write>[0][] = []
      const close = (): void => {
        for (const row of rows) writer.write(row)
        writer.close()
      }
      return { write: (row) => void rows.push(row), flush: () => undefined, close }
    },
  }),
  'does not read an id that is a path': (store) => ({
    ...store,
    read: async (id) => (id.includes('..') ? { file: id, text: 'secret' } : store.read(id)),
  }),
  'shows its recordings to another instance': (store) => store,
  'leaves nothing of a discarded run': (store) => ({
    ...store,
    open(header) {
      const writer = store.open(header)
      return { write: (row) => writer.write(row), flush: () => writer.flush(), close: () => writer.close(), discard: () => writer.close() }
    },
  }),
  'locates a recording before and after it is written': (store) => ({ ...store, locate: () => 'file:///runs' }),
  'finds runs by the fields of their summaries': (store) => ({ ...store, find: ({ error: _error, ...query }) => store.find(query) }),
  'finds runs newest first, with a limit, and before a run': (store) => ({
    ...store,
    find: ({ before: _before, ...query }) => store.find(query),
  }),
  'finds runs by several statuses and until a time': (store) => ({ ...store, find: ({ until: _until, ...query }) => store.find(query) }),
  'draws samples evenly and repeatably': (store) => ({
    ...store,
    find: ({ sample, ...query }) => store.find(sample === undefined ? query : { ...query, limit: sample.size }),
  }),
  'finds a run in flight, and again once it has ended': (store) => {
    const first = new Map<string, RunSummary>()
    return {
      ...store,
      index: (summary) => void (first.has(summary.id) || first.set(summary.id, summary)),
      find: async ({ status }) => ({ runs: [...first.values()].filter((run) => run.status === status), unreadable: [] }),
    }
  },
  'removes a recording and nothing else': (store) => ({ ...store, remove: async () => true }),
  'does not find a removed run': (store) => {
    let seen: readonly RunSummary[] | undefined
    return { ...store, find: async (query) => ({ runs: (seen ??= (await store.find(query)).runs), unreadable: [] }) }
  },
  'removes several recordings at once': (store) => ({ ...store, removeMany: async (ids) => store.removeMany(ids.slice(0, 1)) }),
  'returns a log as bytes and as a stream': (store) => ({
    ...store,
    async readLog(id) {
      const log = await store.readLog(id)
      return log && { ...log, stream: () => firstPiece(log) }
    },
  }),
  'adopts a finished log once, and only if it is complete': (store) => ({
    ...store,
    async adopt(log, summary) {
      await store.remove(log.id)
      await store.adopt(log, summary)
    },
  }),
  'grants a lease to one holder at a time': (store) => ({
    ...store,
    lease: async () => ({ renew: async () => true, release: async () => undefined }),
  }),
  // Loses what it did not write itself.
  'keeps the runs that two instances write at the same time': (store) => {
    const own = new Set<string>()
    return {
      ...store,
      open(header) {
        own.add(header.id)
        return store.open(header)
      },
      list: async () => (await store.list()).filter((id) => own.has(id)),
    }
  },
  'flags a recording, but not a missing one': (store) => ({ ...store, flag: async () => true }),
  'finds a run that a person flagged, with the reason': (store) => ({ ...store, flag: async () => true }),
  'returns a single step as it is in the recording': (store) => ({
    ...store,
    readStep: async (id, step) => (await store.readStep(id, step)).slice(1),
  }),
  'has all written rows after a flush': (store) => ({ ...store, read: async () => undefined }),
  'reports a recording that it could not keep': (store) => ({ ...store, reports: () => undefined }),
  'lists and finds among 40 runs': (store) => ({
    ...store,
    // Reads no more than the first page.
    find: (query) => store.find({ ...query, limit: Math.min(query.limit ?? 30, 30) }),
  }),
  'can be used after a flush': (store) => {
    let isFlushed = false
    return {
      ...store,
      flush: async () => void (isFlushed = true),
      list: async () => (isFlushed ? (await store.list()).slice(0, 1) : store.list()),
    }
  },
}

/** A stream that ends early. */
async function* firstPiece(log: StoredLog): AsyncGenerator<Uint8Array> {
  yield (await log.bytes()).subarray(0, 10)
}

describe('a store that is broken', () => {
  const checks = (create: CheckedStore['create'], other = reopen): ReturnType<typeof storeChecks> =>
    storeChecks({ create, capabilities, reopen: other, fail: failIndex, manyRuns: 40 })
  it('has a check for each way in which it is, and a way for each check', () => {
    expect(Object.keys(broken).toSorted()).toEqual(
      checks(createStore)
        .map(({ name }) => name)
        .toSorted(),
    )
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
    }).filter(({ name }) => name === 'reports a recording that it could not keep')
  it('passes where it reports that', async () => {
    expect(checks(false)).toHaveLength(1)
    await expect(checks(false)[0]?.run()).resolves.toBe(undefined)
  })
  it('does not pass where it says nothing', async () => {
    await expect(checks(true)[0]?.run()).rejects.toThrow(expect.objectContaining({ code: 'ERR_ASSERTION' }))
  })
})

describe('a store whose disk fails', () => {
  const checks = (isSilent: boolean): ReturnType<typeof storeChecks> =>
    storeChecks({
      create: () => createLateStore(isSilent),
      capabilities: ['flush', 'reports'],
      misbehave: (store, fault) => void ((store as ReturnType<typeof createLateStore>).isDown = fault !== undefined),
      faults: ['refuse'],
    }).filter(({ name }) => name === 'loses no run unseen: refuse')
  it('passes where it reports what it lost', async () => {
    expect(checks(false)).toHaveLength(1)
    await expect(checks(false)[0]?.run()).resolves.toBe(undefined)
  })
  it('does not pass where it says nothing of it', async () => {
    await expect(checks(true)[0]?.run()).rejects.toThrow('The store reported no loss of the run')
  })
})

describe('a store that asks a server', () => {
  let requests = 0
  /** Reads every recording for each question. */
  const createAsking = (isLazy: boolean): TraceStore => {
    const store = createMemoryStore()
    return {
      ...store,
      async list(query) {
        const ids = await store.list(query)
        requests += isLazy ? 1 : ids.length
        return ids
      },
      async read(id) {
        requests += 1
        return store.read(id)
      },
    }
  }
  const checks = (isLazy: boolean): ReturnType<typeof storeChecks> =>
    storeChecks({ create: () => createAsking(isLazy), capabilities: [], manyRuns: 40, mostRequests: 3, requests: () => requests }).filter(
      ({ name }) => name === 'lists and finds among 40 runs',
    )
  it('passes where it makes few requests, however many runs there are', async () => {
    await expect(checks(true)[0]?.run()).resolves.toBe(undefined)
  })
  it('does not pass where it makes one for each run', async () => {
    await expect(checks(false)[0]?.run()).rejects.toThrow('list({ newest, limit: 10 }) made 40 requests among 40 runs; 3 are allowed.')
  })
})

describe('a store that is down', () => {
  const checks = (isSilent: boolean): ReturnType<typeof storeChecks> =>
    storeChecks({
      create: () => createLateStore(isSilent),
      capabilities: ['flush', 'reports'],
      goDown: (store) => void ((store as ReturnType<typeof createLateStore>).isDown = true),
    }).filter(({ name }) => name === 'answers in time while it is unreachable')
  it('passes where it answers, and reports what it lost', async () => {
    await expect(checks(false)[0]?.run()).resolves.toBe(undefined)
  })
  it('does not pass where it says nothing of what it lost', async () => {
    await expect(checks(true)[0]?.run()).rejects.toThrow('A lost recording has to be reported.')
  })
})
