import { deepStrictEqual, notStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict'
import { realTimers } from '../../node/real-timers.ts'
import { listIds } from '../list-ids.ts'
import type { RunQuery } from '../run-summary.ts'
import { joinPieces } from '../stored-log.ts'
import type { ListQuery, StoredLog, TraceStore } from '../trace-store.ts'
import { comparable, emptyRun, found, idOf, rowsOf, sampleLog, sampleRun, writeRun } from './sample-runs.ts'

/** `listIds` narrows a listing if the store does not; a store that narrows must not leave out a wanted id. */
export async function listsWhatIsAskedFor(store: TraceStore): Promise<void> {
  for (const second of [2, 61, 1, 3]) writeRun(store, sampleRun(second))
  const minute = idOf(1).slice(0, '20261121-1200'.length)
  const queries: readonly (readonly [query: ListQuery, seconds: readonly number[]])[] = [
    [{ newest: true }, [61, 3, 2, 1]],
    [{ newest: true, limit: 2 }, [61, 3]],
    [{ limit: 2 }, [1, 2]],
    [{ prefix: minute }, [1, 2, 3]],
    [{ prefix: minute, newest: true, limit: 1 }, [3]],
    [{ prefix: idOf(61) }, [61]],
    [{ prefix: 'nothing' }, []],
    [{ limit: 10 }, [1, 2, 3, 61]],
  ]
  for (const [query, seconds] of queries) deepStrictEqual(await listIds(store, query), seconds.map(idOf), `list(${JSON.stringify(query)})`)
}

export async function findsByTimesAndStatuses(store: TraceStore): Promise<void> {
  writeRun(store, sampleRun(1, { status: 'threw' }))
  writeRun(store, sampleRun(2))
  writeRun(store, sampleRun(3, { status: 'in-flight' }))
  writeRun(store, sampleRun(4, { status: 'threw', agent: 'triage' }))
  const queries: readonly (readonly [query: RunQuery, seconds: readonly number[]])[] = [
    [{ status: ['threw', 'in-flight'] }, [4, 3, 1]],
    [{ status: ['threw'] }, [4, 1]],
    [{ status: [] }, []],
    [{ status: ['threw', 'returned'], agent: 'support' }, [2, 1]],
    [{ until: sampleRun(3).header.startedAt }, [2, 1]],
    [{ since: sampleRun(2).header.startedAt, until: sampleRun(4).header.startedAt }, [3, 2]],
    [{ status: ['threw', 'in-flight'], before: idOf(4), limit: 1 }, [3]],
  ]
  for (const [query, seconds] of queries) deepStrictEqual(await found(store, query), seconds.map(idOf), `find(${JSON.stringify(query)})`)
}

export async function drawsSamples(store: TraceStore): Promise<void> {
  for (let second = 1; second <= 12; second += 1)
    writeRun(store, sampleRun(second, { agent: second <= 8 ? 'support' : `rare-${second % 2}` }))
  const sample = { size: 6, seed: 'a', by: ['agent'] }
  const drawn = (await store.find?.({ sample }))?.runs ?? []
  const groups = Map.groupBy(drawn, ({ agent }) => agent)
  deepStrictEqual(
    ['support', 'rare-0', 'rare-1'].map((agent) => groups.get(agent)?.length),
    [2, 2, 2],
    'A sample has to be drawn evenly from its groups.',
  )
  const ids = drawn.map(({ id }) => id)
  deepStrictEqual(ids, ids.toSorted().toReversed(), 'A sample has to have the newest run first.')
  deepStrictEqual(await found(store, { sample }), ids, 'The same seed has to draw the same runs.')
  deepStrictEqual(
    await found(store, { sample, limit: 2, before: ids[0] ?? '' }),
    ids.slice(1, 3),
    'A sample has to support limit and before.',
  )
  deepStrictEqual((await found(store, { sample: { size: 99, seed: 'a' } }))?.length, 12)
  const others = await Promise.all(['b', 'c', 'd', 'e'].map((seed) => found(store, { sample: { size: 3, seed }, agent: 'support' })))
  notStrictEqual(new Set(others.map(String)).size, 1, 'Different seeds have to draw different runs.')
}

export async function removesSeveral(store: TraceStore): Promise<void> {
  for (const second of [1, 2, 3]) writeRun(store, sampleRun(second))
  deepStrictEqual(new Set(await store.removeMany?.([1, 3, 9].map(idOf))), new Set([1, 3].map(idOf)))
  deepStrictEqual(await store.list(), [idOf(2)])
  deepStrictEqual(await store.removeMany?.([]), [])
  if (store.find !== undefined) deepStrictEqual(await found(store, {}), [idOf(2)])
}

/** @param recodes Whether the store keeps recordings in its own format: see `CheckedStore`. */
export async function readsLogs(store: TraceStore, recodes: boolean): Promise<void> {
  writeRun(store, sampleRun(1))
  const log = await store.readLog?.(idOf(1))
  ok(log !== undefined, 'readLog has to return the log of a written run.')
  const bytes = Buffer.from(await log.bytes())
  const pieces = await joinPieces(log.stream())
  deepStrictEqual([log.id, log.size, pieces.equals(bytes)], [idOf(1), bytes.length, true])
  deepStrictEqual(await linesOf(log), await linesOf({ ...log, bytes: async () => await sampleLog(sampleRun(1)).log.bytes() }))
  strictEqual(await store.readLog?.(idOf(2)), undefined, 'readLog has to return undefined for a missing recording.')
  const [summary] = (await store.find?.({ limit: 1 }))?.runs ?? []
  if (summary?.bytes !== undefined && !recodes) strictEqual(summary.bytes, log.size, '"bytes" of a summary has to be the size of its log.')
}

async function linesOf(log: StoredLog): Promise<string> {
  const { isLog, readLog } = await import('../event-log/read-log.ts')
  const bytes = await log.bytes()
  ok(isLog(bytes), 'A log has to begin with its signature.')
  return readLog(bytes, log.file)
}

export async function adopts(store: TraceStore): Promise<void> {
  const run = sampleRun(1, { agent: 'adopted' })
  const { log, summary } = sampleLog(run, ['look'])
  await store.adopt?.(log, summary)
  deepStrictEqual(await rowsOf(store, run.header.id), [run.header, ...run.rows].map(comparable))
  deepStrictEqual((await store.read(run.header.id))?.flags, ['look'])
  const [known] = (await store.find?.({ agent: 'adopted', flagged: true }))?.runs ?? []
  if (store.find !== undefined) deepStrictEqual([known?.id, known?.flags], [run.header.id, ['look']])
  const other = sampleLog(sampleRun(1, { agent: 'other' }))
  await store.adopt?.(other.log, other.summary)
  deepStrictEqual(
    await rowsOf(store, run.header.id),
    [run.header, ...run.rows].map(comparable),
    'Adopting a log must not change an existing recording.',
  )
  if (store.readLog !== undefined)
    ok(Buffer.from((await (await store.readLog(run.header.id))?.bytes()) ?? []).equals(Buffer.from(await log.bytes())))
  const cut = sampleLog(sampleRun(2))
  await rejects(async () => store.adopt?.({ ...cut.log, size: cut.log.size + 1 }, cut.summary), 'Adopting an incomplete log has to fail.')
  deepStrictEqual(await store.list(), [run.header.id])
}

export async function leases(store: TraceStore, other: TraceStore): Promise<void> {
  const lease = await store.lease?.('retention', 60_000)
  ok(lease !== undefined, 'A free lease has to be granted.')
  strictEqual(await other.lease?.('retention', 60_000), undefined, 'A held lease must not be granted.')
  ok((await other.lease?.('other work', 60_000)) !== undefined, 'A lease with a different name has to be granted.')
  strictEqual(await lease.renew(), true)
  await lease.release()
  const short = await other.lease?.('retention', 1)
  ok(short !== undefined, 'A released lease has to be granted.')
  const next = await untilGiven(() => store.lease?.('retention', 60_000))
  ok(next !== undefined, 'An expired lease has to be granted.')
  strictEqual(await short.renew(), false, 'A lost lease must not be renewed.')
  await short.release()
  strictEqual(await other.lease?.('retention', 60_000), undefined, 'Releasing a lost lease must not release the lease of its new holder.')
  await next.release()
  const taken = await Promise.all([store, other, store, other].map(async (each) => each.lease?.('race', 60_000)))
  strictEqual(taken.filter((each) => each !== undefined).length, 1, 'Exactly one of several simultaneous requests has to get the lease.')
}

async function untilGiven<Result>(ask: () => Promise<Result | undefined> | undefined): Promise<Result | undefined> {
  for (let tries = 0; tries < 500; tries += 1) {
    const given = await ask()
    if (given !== undefined) return given
    await pause(10)
  }
  return undefined
}

export async function takesTwoWriters(store: TraceStore, other: TraceStore): Promise<void> {
  const seconds = Array.from({ length: 20 }, (_, index) => index + 1)
  for (const second of seconds) writeRun(second % 2 === 0 ? store : other, sampleRun(second))
  const { log, summary } = sampleLog(sampleRun(30))
  if (store.adopt !== undefined) await Promise.all([store, other].map(async (each) => each.adopt?.(log, summary)))
  await Promise.all([store.flush?.(), other.flush?.()])
  const all = [...seconds, ...(store.adopt === undefined ? [] : [30])].map(idOf)
  for (const each of [store, other]) {
    deepStrictEqual(await each.list(), all)
    if (each.find !== undefined) deepStrictEqual(await found(each, {}), all.toReversed())
  }
  for (const second of [1, 2]) strictEqual((await rowsOf(store, idOf(second))).length, sampleRun(second).rows.length + 1)
}

/**
 * Checks that an unreachable store still answers in time and does not throw at the agents.
 *
 * @param goDown Makes the store unreachable.
 */
export async function bearsBeingDown(store: TraceStore, goDown: () => unknown): Promise<void> {
  const reported = new Set<string>()
  store.reports?.((id) => reported.add(id))
  writeRun(store, sampleRun(1))
  await store.flush?.()
  await goDown()
  let isThrown = false
  try {
    writeRun(store, sampleRun(2))
  } catch {
    // The recorder counts the failure.
    isThrown = true
  }
  const asked: readonly (readonly [name: string, answer: () => unknown])[] = [
    ['flush', () => store.flush?.()],
    ['list', () => store.list({ newest: true, limit: 1 })],
    ['read', () => store.read(idOf(1))],
    ['find', () => store.find?.({ limit: 1 })],
    ['readLog', () => store.readLog?.(idOf(1))],
    ['lease', () => store.lease?.('retention', 1000)],
  ]
  const answers = await Promise.all(asked.map(async ([name, answer]) => [name, await settles(answer)]))
  deepStrictEqual(
    answers.filter(([, isSettled]) => isSettled !== true).map(([name]) => name),
    [],
    `These methods did not answer within ${LONGEST_ANSWER} ms.`,
  )
  if (store.reports !== undefined) strictEqual(isThrown || reported.has(idOf(2)), true, 'A lost recording has to be reported.')
}

/** How long an unreachable store may take to answer, in milliseconds. */
const LONGEST_ANSWER = 60_000

async function settles(answer: () => unknown): Promise<boolean> {
  const asked = (async () => answer())().then(
    () => true,
    () => true,
  )
  return Promise.race([asked, pause(LONGEST_ANSWER).then(() => false)])
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => void realTimers.setTimeout(resolve, milliseconds).unref())
}

/** The size of a check with many runs, and its bound on requests. */
export interface ManyRuns {
  readonly runs: number
  readonly requests?: ((store: TraceStore) => number | Promise<number>) | undefined
  readonly mostRequests: number
}

export async function staysQuickWithMany(store: TraceStore, { runs, requests, mostRequests }: ManyRuns): Promise<void> {
  for (let second = 0; second < runs; second += 1) {
    writeRun(store, emptyRun(second))
    if (second % 500 === 499) await store.flush?.()
  }
  await store.flush?.()
  const newest = Array.from({ length: 10 }, (_, index) => idOf(runs - 1 - index))
  const counted = async <Result>(what: string, ask: () => Promise<Result>): Promise<Result> => {
    const before = await requests?.(store)
    const answer = await ask()
    const made = before === undefined ? 0 : Number(await requests?.(store)) - before
    ok(made <= mostRequests, `${what} made ${made} requests among ${runs} runs; ${mostRequests} are allowed.`)
    return answer
  }
  deepStrictEqual(await counted('list({ newest, limit: 10 })', () => listIds(store, { newest: true, limit: 10 })), newest)
  deepStrictEqual(await counted('list({ prefix, limit: 10 })', () => listIds(store, { prefix: idOf(runs - 1), limit: 10 })), [
    idOf(runs - 1),
  ])
  strictEqual((await counted('read', () => store.read(idOf(7))))?.text.includes(idOf(7)), true)
  if (store.find === undefined) return
  deepStrictEqual(await counted('find({ limit: 10 })', () => found(store, { limit: 10 })), newest)
  deepStrictEqual(await counted('find({ agent, limit: 10 })', () => found(store, { agent: 'support', limit: 10 })), newest)
  const { traceId } = emptyRun(7).header
  deepStrictEqual(await counted('find({ traceId })', () => found(store, { traceId, limit: 10 })), [idOf(7)])
  strictEqual((await store.find({ status: 'returned' })).runs.length, runs)
}
