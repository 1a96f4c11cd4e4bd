/** An object in a listing. */
export interface StoredObject {
  readonly key: string
  /** In bytes. */
  readonly size: number
}

/** Which objects to list. */
export interface ObjectQuery {
  /** How their keys begin. */
  readonly prefix: string
  /** Only keys after this one, in the order of their bytes. */
  readonly after?: string
  /** Only keys before this one. */
  readonly before?: string
}

/**
 * Object storage: what S3 and everything compatible with it can do. Keys are relative to the place that it was opened for. Every method
 * repeats what failed in passing, and rejects with a `StorageError` in the end.
 */
export interface ObjectStorage {
  /** Its URL, without credentials, for messages. */
  readonly place: string
  /** Stores an object in place of any other. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * Stores an object unless there is one of that key.
   *
   * @returns Whether it was stored: false if there is one.
   * @note Also false if an earlier attempt of the same call stored it and its answer was lost.
   */
  create(key: string, bytes: Uint8Array): Promise<boolean>
  /** An object; undefined if there is none. */
  get(key: string): Promise<Uint8Array | undefined>
  /** Part of an object, from a byte to before another; undefined if there is none. */
  getRange(key: string, from: number, to: number): Promise<Uint8Array | undefined>
  /** Objects in the order of their keys, page by page. */
  list(query: ObjectQuery): AsyncIterable<readonly StoredObject[]>
  /** Removes an object; one that is not there counts as removed. */
  delete(key: string): Promise<void>
}
