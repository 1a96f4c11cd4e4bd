import { createReadStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { displayPath } from '../node/display-path.ts'
import { orMissing } from '../node/or-missing.ts'
import { isLog, readLog } from './event-log/read-log.ts'
import type { StoreFiles } from './store-files.ts'
import type { StoredLog, StoredTrace } from './trace-store.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

/**
 * Returns the log of a run as stored; undefined if there is none. A run left by a dead process is returned as JSON lines, since its journal is part
 * of the recording.
 *
 * @param read Reads the recording.
 */
export async function readStoredLog(
  files: StoreFiles,
  id: string,
  read: (id: string) => Promise<StoredTrace | undefined>,
): Promise<StoredLog | undefined> {
  const flags = files.flags(id)
  const about = { id, ...(flags.length === 0 ? {} : { flags }) }
  if (files.hasJournal(id)) {
    const stored = await read(id)
    return stored === undefined ? undefined : toStoredLog(Buffer.from(stored.text), { ...about, file: stored.file })
  }
  const file = files.recording(id)
  const stats = await orMissing(stat(file), undefined)
  return stats?.isFile() === true ? { ...about, file: displayPath(file), size: stats.size, ...readPieces(file, stats.size) } : undefined
}

/** Wraps a log in memory. */
export function toStoredLog(bytes: Uint8Array, about: Pick<StoredLog, 'id' | 'file' | 'flags'>): StoredLog {
  return {
    ...about,
    size: bytes.length,
    bytes: async () => bytes,
    async *stream() {
      for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
    },
  }
}

/** Joins the pieces of a log. */
export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces))
}

/** In bytes. */
const PIECE = 65_536

/** Reads a log that may still grow, up to the size that was read before. */
function readPieces(file: string, size: number): Pick<StoredLog, 'bytes' | 'stream'> {
  return {
    bytes: async () => (await readFile(file)).subarray(0, size),
    async *stream() {
      if (size > 0) yield* createReadStream(file, { end: size - 1, highWaterMark: PIECE })
    },
  }
}

/**
 * Stores a finished log as the recording of a run, unless there is one already.
 *
 * @returns Whether it was stored.
 * @throws Error for an incomplete log.
 */
export async function adoptLog(files: StoreFiles, log: StoredLog): Promise<boolean> {
  if (files.stamp(log.id) !== undefined) return false
  const stream = wholeOf(log)
  const first = await stream.next()
  if (first.done === true) throw new Error(`The log of ${log.file} is empty.`)
  const [asLog, asLines] = files.candidates(log.id)
  const place = (isLog(first.value) ? asLog : asLines) ?? files.log(log.id)
  const isWritten = await writeFileAtomically(place, withFirst(first.value, stream))
  if (isWritten) for (const reason of log.flags ?? []) files.addFlag(log.id, reason)
  return isWritten
}

/** Replaces the recording of a run. Its journal belongs to the old one. A recording of an earlier release stays one of JSON lines. */
export async function replaceLog(files: StoreFiles, log: StoredLog): Promise<void> {
  const file = files.recording(log.id)
  const bytes = await log.bytes()
  const content = file === files.log(log.id) ? bytes : Buffer.from(isLog(bytes) ? readLog(bytes, log.file) : bytes)
  await writeFileAtomically(file, inOnePiece(content), { force: true, temporary: files.unfinished(log.id) })
  await rm(files.journal(log.id), { force: true })
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Yields the pieces of a log. Throws if any are missing. */
export async function* wholeOf(log: StoredLog): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of log.stream()) {
    if (piece.length === 0) continue
    size += piece.length
    yield piece
  }
  if (size !== log.size) throw new Error(`The log of ${log.file} is incomplete: ${size} of ${log.size} bytes arrived.`)
}

async function* withFirst(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}
