import { builtins } from '../../node/builtins.ts'
import { TraceFormatError } from '../../trace/errors/trace-format-error.ts'
import { StorageError } from '../errors/storage-error.ts'
import type { EncodedRun, Encoding } from './run-entry.ts'
import { compress, decompress } from './zstd.ts'

/**
 * The layout of a pack, an object that holds up to a hundred runs:
 *
 * | bytes | what |
 * | --- | --- |
 * | 8 | the signature; the seventh byte is the version |
 * | … | the runs, one after the other |
 * | … | the directory: JSON, compressed |
 * | 4 | the length of the directory |
 * | 4 | CRC-32 of everything before |
 *
 * Numbers are unsigned and little-endian. A run is read by its range, which is in the index. The directory holds the same ranges, so that a lost
 * index can be rebuilt.
 */
export interface PackedRun {
  readonly id: string
  readonly encoding: Encoding
  /** Where its bytes start. */
  readonly offset: number
  readonly length: number
  /** Why users flagged it. Default: none. */
  readonly flags?: readonly string[]
}

/** The directory of a pack. */
export interface PackDirectory {
  /** The key of the dictionary that the runs were compressed with. */
  readonly dictionary?: string
  readonly runs: readonly PackedRun[]
}

/** A run to be packed. */
export interface RunToPack extends EncodedRun {
  readonly id: string
  readonly flags?: readonly string[]
}

const SIGNATURE = Uint8Array.of(0x89, 0x47, 0x52, 0x50, 0x41, 0x43, 1, 0x0a)
const TRAILER = 8

const DAMAGED =
  'the pack is damaged, or was cut off in transit. Run goldenrun ship where its runs are still in a spool, or restore it from a backup.'

/** Packs runs. */
export function writePack(
  runs: readonly RunToPack[],
  dictionary?: string,
): { readonly bytes: Uint8Array; readonly directory: PackDirectory } {
  let offset = SIGNATURE.length
  const places = runs.map(({ id, encoding, bytes, flags = [] }): PackedRun => {
    const place = { id, encoding, offset, length: bytes.length, ...(flags.length === 0 ? {} : { flags }) }
    offset += bytes.length
    return place
  })
  const directory = { ...(dictionary === undefined ? {} : { dictionary }), runs: places }
  const listed = compress(Buffer.from(JSON.stringify(directory)))
  const bytes = Buffer.concat([SIGNATURE, ...runs.map(({ bytes: run }) => run), listed, Buffer.alloc(TRAILER)])
  bytes.writeUInt32LE(listed.length, bytes.length - TRAILER)
  bytes.writeUInt32LE(builtins.zlib.crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return { bytes, directory }
}

/**
 * Reads a whole pack.
 *
 * @throws StorageError if it is damaged.
 */
export function readPack(
  bytes: Uint8Array,
  place: string,
): { readonly directory: PackDirectory; readonly runs: readonly (PackedRun & RunToPack)[] } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isPack = SIGNATURE.every((byte, index) => index === 6 || byte === view[index]) && view.length > SIGNATURE.length + TRAILER
  if (isPack && (view[6] ?? 1) > 1) throw refused(place, 'a newer goldenrun wrote it. Update goldenrun: npm install goldenrun@latest')
  if (!isPack || view.readUInt32LE(view.length - 4) !== builtins.zlib.crc32(view.subarray(0, -4))) throw damaged(place, DAMAGED)
  const length = view.readUInt32LE(view.length - TRAILER)
  const listed = decompress(view.subarray(-TRAILER - length, -TRAILER))
  if (listed === undefined) throw damaged(place, 'its list of runs is too long.')
  const directory = JSON.parse(listed.toString()) as PackDirectory
  return { directory, runs: directory.runs.map((run) => ({ ...run, bytes: view.subarray(run.offset, run.offset + run.length) })) }
}

/** Returns whether an error says that a pack, or a run in it, is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof TraceFormatError || (error instanceof StorageError && error.problem === 'damaged')
}

/** Returns the error for a pack that ends before a run that is in it. */
export function cutPack(place: string, pack: string): StorageError {
  return damaged(`${place}: ${pack}`, DAMAGED)
}

function refused(place: string, why: string): StorageError {
  return new StorageError({ problem: 'refused', place, message: `${place}: ${why}` })
}

function damaged(place: string, why: string): StorageError {
  return new StorageError({ problem: 'damaged', place, message: `${place}: ${why}` })
}
