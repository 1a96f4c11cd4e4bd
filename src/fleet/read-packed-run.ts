import type { Dictionaries } from './dictionaries.ts'
import type { FleetIndex } from './index/fleet-index.ts'
import type { IndexedRun } from './index/indexed-run.ts'
import { isRunId } from './object-keys.ts'
import { cutPack, isDamage } from './packs/pack.ts'
import type { ObjectStorage } from './storage/object-storage.ts'

/** Where packed runs are read from. */
interface PackedRuns {
  readonly storage: ObjectStorage
  readonly index: FleetIndex
  readonly dictionaries: Dictionaries
}

/**
 * Reads a run from the pack that it is in; undefined if there is none. A run that is damaged in one pack may be whole in another, which a shipper
 * stored later.
 *
 * @throws StorageError or TraceFormatError if it is damaged wherever it is.
 */
export async function readPackedRun<Result>(
  { storage, index, dictionaries }: PackedRuns,
  id: string,
  read: (run: IndexedRun, bytes: Uint8Array, dictionary: Uint8Array | undefined) => Result,
): Promise<Result | undefined> {
  if (!isRunId(id)) return undefined
  let damage: { readonly error: unknown } | undefined
  for (const run of await index.locate(id)) {
    const { pack, offset, length, dictionary } = run.place
    const bytes = await storage.getRange(pack, offset, offset + length)
    // The run was moved to another pack in the meantime.
    if (bytes === undefined) continue
    try {
      if (bytes.length < length) throw cutPack(storage.place, pack)
      return read(run, bytes, dictionary === undefined ? undefined : await dictionaries.read(dictionary))
    } catch (error) {
      if (!isDamage(error)) throw error
      damage ??= { error }
    }
  }
  if (damage !== undefined) throw damage.error
  return undefined
}
