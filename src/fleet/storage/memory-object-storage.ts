import type { ObjectQuery, ObjectStorage, StoredObject } from './object-storage.ts'

/** A bucket in memory, to see what recordings would take in a real one. */
export class MemoryObjectStorage implements ObjectStorage {
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
}
