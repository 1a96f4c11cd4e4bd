import type { ObjectStorage } from './storage/object-storage.ts'

/**
 * Stores an object whose key follows from its content. If the key exists with different content, an earlier attempt was cut, and the object is
 * replaced.
 *
 * @param replace Replaces the object. Default: puts it.
 */
export async function storeContent(
  storage: ObjectStorage,
  key: string,
  bytes: Uint8Array,
  replace: () => Promise<void> = () => storage.put(key, bytes),
): Promise<void> {
  if (await storage.create(key, bytes)) return
  const stored = await storage.get(key)
  if (stored !== undefined && !Buffer.from(stored).equals(bytes)) await replace()
}
