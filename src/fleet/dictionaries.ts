import { knownOrMade } from '../node/remember.ts'
import { digest } from './object-keys.ts'
import { findCommonText, LEAST_RUNS, MOST_RUNS } from './packs/common-text.ts'
import { hasDictionaries } from './packs/zstd.ts'
import type { ObjectStorage } from './storage/object-storage.ts'

/** A dictionary, and its key. */
export interface Dictionary {
  readonly key: string
  readonly bytes: Uint8Array
}

/** The dictionaries of a bucket: one for each version of an agent, once there are fifty runs of it. */
export class Dictionaries {
  readonly #storage: ObjectStorage
  readonly #known = new Map<string, Promise<Uint8Array | undefined>>()
  /** Recordings of agents without a dictionary. */
  readonly #samples = new Map<string, string[]>()

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  /** The content of a dictionary. */
  read(key: string): Promise<Uint8Array | undefined> {
    return knownOrMade(this.#known, key, () => {
      const read = this.#storage.get(key)
      // What is not there may come, and what failed may pass.
      read.then((bytes) => bytes ?? this.#known.delete(key)).catch(() => this.#known.delete(key))
      return read
    })
  }

  /**
   * The dictionary to compress runs of an agent with; undefined if there is none yet.
   *
   * @param recordings The JSON lines of runs that are about to be compressed, from which one is made when there are enough.
   */
  async of(agent: string, version: string | undefined, recordings: readonly string[]): Promise<Dictionary | undefined> {
    if (!hasDictionaries()) return undefined
    const key = `dictionaries/${digest(JSON.stringify([agent, version ?? null]))}.dictionary`
    const samples = this.#samples.get(key)
    // It was looked for when the first sample was taken.
    const bytes = samples === undefined || this.#known.has(key) ? await this.read(key) : undefined
    if (bytes !== undefined) return { key, bytes }
    const all = [...(samples ?? []), ...recordings].slice(0, MOST_RUNS)
    this.#samples.set(key, all)
    // Some runs beyond the fewest, so that a text need not be in every one of them.
    if (all.length < Math.min(MOST_RUNS, LEAST_RUNS * 1.5)) return undefined
    const made = findCommonText(all)
    if (made === undefined) return undefined
    this.#samples.delete(key)
    await this.#storage.create(key, made)
    // Another process may have been first.
    const stored = await this.read(key)
    return stored && { key, bytes: stored }
  }
}
