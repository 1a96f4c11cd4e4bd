import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { TraceStore } from '../trace-store.ts'
import {
  adopts,
  bearsBeingDown,
  drawsSamples,
  findsByTimesAndStatuses,
  leases,
  listsWhatIsAskedFor,
  readsLogs,
  removesSeveral,
  staysQuickWithMany,
  takesTwoWriters,
} from './fleet-checks.ts'
import { losesNoRunUnseen, STORE_FAULTS, type StoreFault } from './fault-checks.ts'
import { findsFlagged, findsInFlight, findsInOrder, findsNoRemoved, findsRuns } from './find-checks.ts'
import { comparable, found, idOf, rowsOf, sampleRun, writeRun } from './sample-runs.ts'

/** The optional capabilities of a store; `discard` belongs to its writers. */
export type Capability = (typeof METHODS)[number] | 'discard'

const METHODS = [
  'index',
  'locate',
  'find',
  'remove',
  'removeMany',
  'flag',
  'flush',
  'readStep',
  'readLog',
  'adopt',
  'lease',
  'reports',
  'abandon',
] as const

/** A check of a store, for any test runner: `for (const { name, run } of storeChecks(…)) it(name, run)`. */
export interface StoreCheck {
  readonly name: string
  /** Rejects with an `AssertionError` if the store does not pass. */
  readonly run: () => Promise<void>
}

type NamedCheck = readonly [name: string, isAsked: boolean, check: (store: TraceStore) => Promise<void>]

/** The store to check. */
export interface CheckedStore {
  /** Creates an empty store. Called for each check. */
  readonly create: () => TraceStore | Promise<TraceStore>
  /** The store's capabilities. Other capabilities are not checked, and their methods have to be missing. */
  readonly capabilities: readonly Capability[]
  /** Returns another instance over the same data, like another process. Default: checks with two instances are skipped. */
  readonly reopen?: (store: TraceStore) => TraceStore | Promise<TraceStore>
  /** Makes every further write of the store fail. Default: `reports` is not checked. */
  readonly fail?: (store: TraceStore) => unknown
  /** Makes the store unreachable, as if its server had gone down. Default: that is not checked. */
  readonly goDown?: (store: TraceStore) => unknown
  /** Makes the store's server or disk misbehave from now on, or work again if `fault` is undefined. Default: faults are not checked. */
  readonly misbehave?: (store: TraceStore, fault: StoreFault | undefined) => unknown
  /** The faults that `misbehave` can cause. Default: all. */
  readonly faults?: readonly StoreFault[]
  /** Returns how many requests the store has made so far to its server or service. Default: the number of requests is not checked. */
  readonly requests?: (store: TraceStore) => number | Promise<number>
  /** The most requests that `read`, listing the newest ten ids, and finding ten runs may make, however many runs there are. Default: 30. */
  readonly mostRequests?: number
  /** How many runs that check writes. Default: 10000. */
  readonly manyRuns?: number
  /** Whether the store keeps recordings in its own format, so that `readLog` returns logs of a different size than `RunSummary.bytes`. Default: no. */
  readonly recodes?: true
}

/**
 * Returns the checks that a store has to pass: everything that `createRecorder`, `readTrace` and the commands rely on. They work with any test runner.
 *
 * @example
 * for (const { name, run } of storeChecks({ create: () => createMyStore(), capabilities: ['find', 'index'] })) test(name, run)
 */
export function storeChecks(checked: CheckedStore): StoreCheck[] {
  const can = (...capabilities: readonly Capability[]): boolean =>
    capabilities.every((capability) => checked.capabilities.includes(capability))
  const { reopen, fail, goDown, misbehave, faults = STORE_FAULTS } = checked
  const withOther = (check: (store: TraceStore, other: TraceStore) => Promise<void>) => async (store: TraceStore) =>
    check(store, (await reopen?.(store)) ?? store)
  const many = { runs: checked.manyRuns ?? 10_000, requests: checked.requests, mostRequests: checked.mostRequests ?? 30 }
  const list: readonly NamedCheck[] = [
    ['has the declared capabilities and no others', true, (store) => checkCapabilities(store, checked.capabilities)],
    ['keeps every row of a run, in order', true, keepsRows],
    ['starts empty', true, hasNothing],
    ['lists its recordings, oldest first', true, listsOldestFirst],
    ['lists ids by prefix, order and limit', true, listsWhatIsAskedFor],
    ['keeps runs apart that are written at the same time', true, keepsApart],
    ['returns flushed rows before the run ends', true, hasWhatWasFlushed],
    ['does not read an id that is a path', true, refusesPaths],
    ['shows its recordings to another instance', reopen !== undefined, withOther(showsOther)],
    ['leaves nothing of a discarded run', can('discard'), leavesNothing],
    ['locates a recording before and after it is written', can('locate'), locates],
    ['finds runs by the fields of their summaries', can('find', 'index'), findsRuns],
    ['finds runs newest first, with a limit, and before a run', can('find', 'index'), findsInOrder],
    ['finds runs by several statuses and until a time', can('find', 'index'), findsByTimesAndStatuses],
    ['draws samples evenly and repeatably', can('find', 'index'), drawsSamples],
    ['finds a run in flight, and again once it has ended', can('find', 'index'), findsInFlight],
    ['removes a recording and nothing else', can('remove'), removes],
    ['does not find a removed run', can('remove', 'find', 'index'), findsNoRemoved],
    ['removes several recordings at once', can('removeMany'), removesSeveral],
    ['returns a log as bytes and as a stream', can('readLog'), (store) => readsLogs(store, checked.recodes === true)],
    ['adopts a finished log once, and only if it is complete', can('adopt'), adopts],
    ['grants a lease to one holder at a time', can('lease'), withOther(leases)],
    ['keeps the runs that two instances write at the same time', reopen !== undefined, withOther(takesTwoWriters)],
    ['flags a recording, but not a missing one', can('flag'), flags],
    ['finds a run that a person flagged, with the reason', can('flag', 'find', 'index'), findsFlagged],
    ['returns a single step as it is in the recording', can('readStep'), readsStep],
    ['has all written rows after a flush', can('flush'), holdsAfterFlush],
    ['can be used after a flush', can('flush'), worksAfterFlush],
    ['reports a recording that it could not keep', can('reports') && fail !== undefined, async (store) => reports(store, fail)],
    ['answers in time while it is unreachable', goDown !== undefined, async (store) => bearsBeingDown(store, () => goDown?.(store))],
    ...faults.map((fault): NamedCheck => [
      `loses no run unseen: ${fault}`,
      misbehave !== undefined,
      (store) => losesNoRunUnseen(store, fault, (now) => misbehave?.(store, now)),
    ]),
    [`lists and finds among ${many.runs} runs`, true, async (store) => staysQuickWithMany(store, many)],
  ]
  return list.flatMap(([name, isAsked, check]) => (isAsked ? [{ name, run: async () => check(await checked.create()) }] : []))
}

async function checkCapabilities(store: TraceStore, said: readonly Capability[]): Promise<void> {
  for (const method of ['open', 'list', 'read'] as const) strictEqual(typeof store[method], 'function', `A store has to have "${method}".`)
  for (const capability of METHODS) {
    const has = store[capability] !== undefined
    strictEqual(
      has,
      said.includes(capability),
      `The store ${has ? 'has' : 'has no'} "${capability}", but it is ${has ? 'not ' : ''}among its capabilities.`,
    )
  }
  const writer = store.open({ ...sampleRun(0).header, input: undefined })
  const has = writer.discard !== undefined
  writer.close()
  strictEqual(has, said.includes('discard'), `The writers of the store ${has ? 'have' : 'have no'} "discard".`)
}

async function keepsRows(store: TraceStore): Promise<void> {
  const run = sampleRun(1, { tags: { user: '42' } })
  writeRun(store, run)
  deepStrictEqual(await rowsOf(store, run.header.id), [run.header, ...run.rows].map(comparable))
}

async function hasNothing(store: TraceStore): Promise<void> {
  deepStrictEqual(await store.list(), [])
  strictEqual(await store.read(sampleRun(1).header.id), undefined)
}

async function listsOldestFirst(store: TraceStore): Promise<void> {
  const runs = [3, 1, 2].map((second) => sampleRun(second))
  for (const run of runs) writeRun(store, run)
  deepStrictEqual(await store.list(), [1, 2, 3].map(idOf))
}

async function keepsApart(store: TraceStore): Promise<void> {
  const runs = [1, 2, 3].map((second) => sampleRun(second, { agent: `agent-${second}`, tool: `tool-${second}` }))
  const writers = runs.map(({ header }) => store.open({ ...header, input: undefined }))
  const longest = Math.max(...runs.map(({ rows }) => rows.length))
  for (let index = -1; index < longest; index += 1)
    runs.forEach(({ header, rows }, writer) => {
      const row = index === -1 ? header : rows[index]
      if (row !== undefined) writers[writer]?.write(row)
    })
  for (const writer of writers) writer.close()
  for (const { header, rows } of runs) deepStrictEqual(await rowsOf(store, header.id), [header, ...rows].map(comparable))
}

async function hasWhatWasFlushed(store: TraceStore): Promise<void> {
  const { header, rows } = sampleRun(1)
  const writer = store.open({ ...header, input: undefined })
  for (const row of [header, ...rows.slice(0, 3)]) writer.write(row)
  writer.flush()
  const kept = await rowsOf(store, header.id)
  for (const row of rows.slice(3)) writer.write(row)
  writer.close()
  deepStrictEqual(kept, [header, ...rows.slice(0, 3)].map(comparable))
  deepStrictEqual(await rowsOf(store, header.id), [header, ...rows].map(comparable))
}

async function refusesPaths(store: TraceStore): Promise<void> {
  writeRun(store, sampleRun(1))
  for (const id of ['', '.', '..', '../package.json', '/etc/passwd', `nowhere/../../${idOf(9)}`])
    strictEqual(await store.read(id), undefined, `read(${JSON.stringify(id)})`)
}

async function showsOther(store: TraceStore, other: TraceStore): Promise<void> {
  const run = sampleRun(1)
  writeRun(store, run)
  await store.flush?.()
  deepStrictEqual(await other.list(), [run.header.id])
  deepStrictEqual(await rowsOf(other, run.header.id), [run.header, ...run.rows].map(comparable))
  if (other.find !== undefined) deepStrictEqual(await found(other, {}), [run.header.id])
}

async function leavesNothing(store: TraceStore): Promise<void> {
  writeRun(store, sampleRun(1))
  writeRun(store, sampleRun(2), () => false)
  deepStrictEqual(await store.list(), [idOf(1)])
  strictEqual(await store.read(idOf(2)), undefined)
  if (store.find !== undefined) deepStrictEqual(await found(store, {}), [idOf(1)])
}

async function locates(store: TraceStore): Promise<void> {
  const places = [1, 2].map((second) => store.locate?.(idOf(second)))
  for (const place of places) ok(place !== undefined && URL.canParse(place), `locate has to return a URI, not ${JSON.stringify(place)}.`)
  strictEqual(new Set(places).size, 2, 'Two recordings must not have the same place.')
  writeRun(store, sampleRun(1))
  strictEqual(store.locate?.(idOf(1)), places[0], 'locate has to return the same place before and after a recording is written.')
}

async function removes(store: TraceStore): Promise<void> {
  for (const second of [1, 2]) writeRun(store, sampleRun(second))
  strictEqual(await store.remove?.(idOf(1)), true)
  strictEqual(await store.remove?.(idOf(1)), false, 'Removing a recording twice has to return false.')
  deepStrictEqual(await store.list(), [idOf(2)])
  strictEqual(await store.read(idOf(1)), undefined)
  ok(await store.read(idOf(2)))
}

async function flags(store: TraceStore): Promise<void> {
  writeRun(store, sampleRun(1))
  strictEqual(await store.flag?.(idOf(1), 'look'), true)
  strictEqual(await store.flag?.(idOf(2), 'look'), false, 'Flagging a missing recording has to return false.')
  const { header, rows } = sampleRun(1)
  deepStrictEqual((await rowsOf(store, header.id)).slice(0, rows.length + 1), [header, ...rows].map(comparable))
  deepStrictEqual((await store.read(header.id))?.flags, ['look'])
}

async function readsStep(store: TraceStore): Promise<void> {
  const { header, rows } = sampleRun(1)
  writeRun(store, { header, rows })
  const alone = (await store.readStep?.(header.id, 2))?.map(comparable)
  deepStrictEqual(alone, [header, ...rows.filter((row) => 'step' in row && row.step === 2)].map(comparable))
  deepStrictEqual(await store.readStep?.(header.id, 3), [], 'readStep has to return no rows for a missing step.')
  deepStrictEqual(await store.readStep?.(idOf(2), 1), [], 'readStep has to return no rows for a missing recording.')
}

async function holdsAfterFlush(store: TraceStore): Promise<void> {
  const { header, rows } = sampleRun(1)
  writeRun(store, { header, rows })
  await store.flush?.()
  deepStrictEqual(await rowsOf(store, header.id), [header, ...rows].map(comparable))
}

async function reports(store: TraceStore, fail: CheckedStore['fail']): Promise<void> {
  const reported = new Set<string>()
  store.reports?.((id) => reported.add(id))
  writeRun(store, sampleRun(1))
  await store.flush?.()
  deepStrictEqual([...reported], [], 'A kept recording must not be reported.')
  await fail?.(store)
  try {
    writeRun(store, sampleRun(2))
    await store.flush?.()
  } catch {
    // A store may also fail immediately.
  }
  deepStrictEqual([...reported], [idOf(2)])
}

async function worksAfterFlush(store: TraceStore): Promise<void> {
  writeRun(store, sampleRun(1))
  await store.flush?.()
  writeRun(store, sampleRun(2))
  await store.flush?.()
  deepStrictEqual(await store.list(), [1, 2].map(idOf))
}
