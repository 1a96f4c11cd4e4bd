import { createRetention, type RetentionOptions } from '../stores/retention.ts'
import type { RunSummary } from '../stores/run-summary.ts'
import type { StoredLog } from '../stores/trace-store.ts'
import { knownOrMade } from '../trace/remember.ts'
import type { RunGroup } from './bucket-costs.ts'
import type { FinishedRun } from './fleet-writer.ts'
import { ObjectStore } from './object-store.ts'
import { partsOf } from './object-keys.ts'
import { linesOf } from './packs/run-entry.ts'
import type { ObjectQuery, ObjectStorage, StoredObject } from './storage/object-storage.ts'

/** The size of recordings in a bucket. */
export interface PackedRuns {
  readonly runs: number
  /** As JSON lines. */
  readonly lineBytes: number
  /** In packs and in the index, compacted. */
  readonly packBytes: number
  readonly indexBytes: number
  readonly groups: readonly RunGroup[]
  /** The number of runs of the agent version with the fewest runs. */
  readonly fewestOfVersion: number
}

/** Packs recordings in memory, as a shipper packs the runs of one hour. */
export async function measurePacked(
  runs: readonly { readonly summary: RunSummary; readonly log: StoredLog }[],
  retention: RetentionOptions = {},
): Promise<PackedRuns> {
  const storage = new MemoryObjectStorage()
  const bucket = new ObjectStore(storage, retention)
  const { ruleOf } = createRetention(retention, new Set(), 0)
  const groups = new Map<string, { readonly className: string; runs: number }>()
  const finished: FinishedRun[] = []
  for (const { summary, log } of runs) {
    const bytes = await log.bytes()
    finished.push({ summary, log: bytes, lines: linesOf(bytes, log.file) })
    const className = ruleOf(summary)
    const group = knownOrMade(groups, JSON.stringify([className, summary.agent, summary.agentVersion]), () => ({ className, runs: 0 }))
    group.runs += 1
  }
  const versions = Map.groupBy(runs, ({ summary: { agent, agentVersion } }) => JSON.stringify([agent, agentVersion]))
  // The first hour makes the dictionaries; the second hour is packed with them, like every later one.
  const [first, second] = ['20000101-00', '20000101-01']
  for (const hour of [first, second]) await bucket.adoptMany(finished.map((run) => ({ ...run, summary: moveTo(hour, run.summary) })))
  await bucket.compact('9')
  const sizes = { packs: 0, index: 0, terms: 0 }
  for (const { key, size } of (await Array.fromAsync(storage.list({ prefix: '' }))).flat()) {
    const parts = partsOf(key)
    if (parts?.hour === second) sizes[parts.kind] += size
  }
  return {
    runs: runs.length,
    lineBytes: finished.reduce((sum, { lines }) => sum + Buffer.byteLength(lines), 0),
    packBytes: sizes.packs,
    indexBytes: sizes.index + sizes.terms,
    groups: [...groups.values()],
    fewestOfVersion: Math.min(...[...versions.values()].map((members) => members.length)),
  }
}

function moveTo(hour: string, summary: RunSummary): RunSummary {
  return { ...summary, id: `${hour}${summary.id.slice(hour.length)}` }
}

/** A bucket in memory, to measure the size of recordings in a real one. */
class MemoryObjectStorage implements ObjectStorage {
  readonly abandoned: AbortSignal = new AbortController().signal
  readonly place = 'memory'
  readonly #objects = new Map<string, Uint8Array>()

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.#objects.set(key, bytes)
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    if (this.#objects.has(key)) return false
    this.#objects.set(key, bytes)
    return true
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return this.#objects.get(key)
  }

  async getRange(key: string, from: number, to: number): Promise<Uint8Array | undefined> {
    return this.#objects.get(key)?.subarray(from, to)
  }

  async *list({ prefix, after = '', before }: ObjectQuery): AsyncGenerator<readonly StoredObject[]> {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix) && key > after && (before === undefined || key < before))
    yield keys.toSorted().map((key) => ({ key, size: this.#objects.get(key)?.length ?? 0 }))
  }

  async delete(key: string): Promise<void> {
    this.#objects.delete(key)
  }

  abandon(): void {}
}
