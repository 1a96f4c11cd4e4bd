/** An object in a listing. */
export interface StoredObject {
  readonly key: string
  /** In bytes. */
  readonly size: number
}

/** Which objects to list. */
export interface ObjectQuery {
  /** The prefix of their keys. */
  readonly prefix: string
  /** Only keys after this one, in the order of their bytes. */
  readonly after?: string
  /** Only keys before this one. */
  readonly before?: string
}

/**
 * Object storage: what S3 and compatible services can do. Keys are relative to the opened prefix. Every method
 * retries passing failures, and finally rejects with a `StorageError`.
 */
export interface ObjectStorage {
  /** Its URL, without credentials, for messages. */
  readonly place: string
  /** Stores an object, replacing an existing one. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * Stores an object unless its key exists.
   *
   * @returns Whether it was stored: false if the key exists.
   * @note Also false if an earlier attempt of the same call stored it and the answer was lost.
   */
  create(key: string, bytes: Uint8Array): Promise<boolean>
  /** Reads an object; undefined if there is none. */
  get(key: string): Promise<Uint8Array | undefined>
  /** Reads the bytes of an object from `from` to before `to`; undefined if there is none. */
  getRange(key: string, from: number, to: number): Promise<Uint8Array | undefined>
  /** Lists objects in the order of their keys, page by page. */
  list(query: ObjectQuery): AsyncIterable<readonly StoredObject[]>
  /** Removes an object; a missing one counts as removed. */
  delete(key: string): Promise<void>
  /** Ends the requests under way, and their waits: each rejects with a `StorageError`. Later requests are made as usual. */
  abandon(): void
  /** Aborted by the next `abandon`. Work of several requests takes it at its start, so that it makes no further ones. */
  readonly abandoned: AbortSignal
}
