import type { ObjectQuery, ObjectStorage, StoredObject } from '../../../src/fleet/storage/object-storage.ts'

/** Thrown by a storage whose process is dead. */
export class Killed extends Error {}

/** Objects in memory, which outlive the storages that change them. */
export class MemoryObjects extends Map<string, Uint8Array> {}

/** A storage that dies after some changes: like a killed process, it then changes nothing any more. */
export class MemoryStorage implements ObjectStorage {
  readonly place = 's3://memory'
  readonly abandoned: AbortSignal = new AbortController().signal
  readonly #objects: MemoryObjects
  #left: number

  /** @param changes After how many changes it dies. Default: never. */
  constructor(objects: MemoryObjects, changes: number = Infinity) {
    this.#objects = objects
    this.#left = changes
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.#change()
    this.#objects.set(key, Uint8Array.from(bytes))
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    if (this.#objects.has(key)) return false
    await this.put(key, bytes)
    return true
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return this.#objects.get(key)
  }

  async getRange(key: string, from: number, to: number): Promise<Uint8Array | undefined> {
    return this.#objects.get(key)?.subarray(from, to)
  }

  async *list({ prefix, after = '', before = '￿' }: ObjectQuery): AsyncGenerator<readonly StoredObject[]> {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix) && key > after && key < before)
    yield keys.toSorted().map((key) => ({ key, size: this.#objects.get(key)?.length ?? 0 }))
  }

  async delete(key: string): Promise<void> {
    this.#change()
    this.#objects.delete(key)
  }

  abandon(): void {
    this.#left = 0
  }

  #change(): void {
    if (this.#left <= 0) throw new Killed('The process is dead.')
    this.#left -= 1
  }
}
