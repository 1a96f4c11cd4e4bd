import { knownOrMade } from '../trace/remember.ts'
import { digest } from './object-keys.ts'
import { findCommonText, LEAST_RUNS, MOST_RUNS } from './packs/common-text.ts'
import { hasDictionaries } from './packs/zstd.ts'
import type { ObjectStorage } from './storage/object-storage.ts'

/** A dictionary and its key. */
export interface Dictionary {
  readonly key: string
  readonly bytes: Uint8Array
}

/** The dictionaries of a bucket: one for each version of an agent, made once 75 runs of it have been seen. */
export class Dictionaries {
  readonly #storage: ObjectStorage
  readonly #known = new Map<string, Promise<Uint8Array | undefined>>()
  /** Sample recordings of agents that have no dictionary yet. */
  readonly #samples = new Map<string, string[]>()

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  /** Returns the content of a dictionary. */
  read(key: string): Promise<Uint8Array | undefined> {
    return knownOrMade(this.#known, key, () => {
      const read = this.#storage.get(key)
      // A missing dictionary may appear later, and a failure may pass.
      read.then((bytes) => bytes ?? this.#known.delete(key)).catch(() => this.#known.delete(key))
      return read
    })
  }

  /**
   * Returns the dictionary that compresses an agent's runs; undefined if there is none yet.
   *
   * @param recordings The JSON lines of runs that are about to be compressed. Once there are enough, a dictionary is made from them.
   */
  async of(agent: string, version: string | undefined, recordings: readonly string[]): Promise<Dictionary | undefined> {
    if (!hasDictionaries()) return undefined
    const key = `dictionaries/${digest(JSON.stringify([agent, version ?? null]))}.dictionary`
    const samples = this.#samples.get(key)
    // The first sample already triggered a look-up.
    const bytes = samples === undefined || this.#known.has(key) ? await this.read(key) : undefined
    if (bytes !== undefined) return { key, bytes }
    const all = [...(samples ?? []), ...recordings].slice(0, MOST_RUNS)
    this.#samples.set(key, all)
    // A few more runs than the minimum, because a shared text may be missing from some of them.
    if (all.length < Math.min(MOST_RUNS, LEAST_RUNS * 1.5)) return undefined
    const made = findCommonText(all)
    if (made === undefined) return undefined
    this.#samples.delete(key)
    await this.#storage.create(key, made)
    // Another process may have stored its dictionary first.
    const stored = await this.read(key)
    return stored && { key, bytes: stored }
  }
}
