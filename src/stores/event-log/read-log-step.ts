import { type FileHandle, open } from 'node:fs/promises'
import { asWritten } from '../../trace/as-written.ts'
import { createDecoder } from '../../trace/codec/decoder.ts'
import type { Row } from '../../trace/rows.ts'
import { FRAME_HEADER, type FrameHeader, readFrame, readFrameHeader, SIGNATURE } from './log-frame.ts'
import { readingLimits } from '../reading-limits.ts'
import { checkSignature, damaged, decompress, type PlacedFrame, streamsOf } from './read-log.ts'
import type { StoredTrace } from '../trace-store.ts'

/**
 * Reads the rows of one step of a log, from its call to its settling or to the end of the log; empty if there is no such step. Reads only
 * the frame headers of the file, and the frames from the keyframe before the call to the settling.
 *
 * @throws TraceFormatError if the log is corrupted, TraceVersionError for a log that a newer goldenrun wrote.
 */
export async function readLogStep(path: string, step: number): Promise<Row[]> {
  return inLog(path, (file) => findRows(file, path, step))
}

/**
 * Reads the header of a log, and no more of the file than needed.
 *
 * @throws as `readLogStep`.
 */
export async function readLogHeader(path: string): Promise<Row> {
  return inLog(path, async (file) => {
    const [first] = await readPlaces(file, 1)
    if (first === undefined) throw damaged(path, SIGNATURE.length)
    const frames = await readFrames(file, path, first.at, endOf([first]))
    const decoder = createDecoder(asWritten, { file: path, limits: readingLimits() })
    for (const line of decompress(frames, path).split('\n')) {
      const row = decoder.decode(line)
      if (row !== undefined) return row
    }
    throw damaged(path, first.at)
  })
}

/** Opens the file of a log, passes it to `read` and closes it. */
async function inLog<Result>(path: string, read: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path)
  try {
    checkSignature(await readAt(file, 0, SIGNATURE.length), path)
    return await read(file)
  } finally {
    await file.close()
  }
}

async function findRows(file: FileHandle, path: string, step: number): Promise<Row[]> {
  const places = await readPlaces(file)
  const keyframes = places.filter(({ kind }) => kind === 'keyframe')
  const found: Row[] = []
  // Calls are in the order of their steps.
  for (let index = keyframes.findLastIndex(({ calls }) => calls < step); index >= 0 && index < keyframes.length; index += 1) {
    const [from, to] = [keyframes[index], keyframes[index + 1]]
    if (from === undefined) break
    const frames = await readFrames(file, path, from.at, to?.at ?? endOf(places))
    const decoder = createDecoder(asWritten, { file: path, after: from, limits: readingLimits() })
    for (const line of streamsOf(frames)
      .map((stream) => decompress(stream, path))
      .join('')
      .split('\n')) {
      const row = decoder.decode(line)
      if (row === undefined || !('step' in row) || row.step !== step) continue
      found.push(row)
      if (row.kind === 'return' || row.kind === 'throw') return found
    }
    if (found.length === 0) break
  }
  return found
}

interface Place extends FrameHeader {
  readonly at: number
}

/** Reads the positions of the complete frames, up to `most`. */
async function readPlaces(file: FileHandle, most = Infinity): Promise<Place[]> {
  const { size } = await file.stat()
  const places: Place[] = []
  for (let at = SIGNATURE.length; at + FRAME_HEADER <= size && places.length < most;) {
    const header = readFrameHeader(await readAt(file, at, FRAME_HEADER))
    if (at + header.length > size || header.kind === undefined) break
    places.push({ ...header, at })
    at += header.length
  }
  return places
}

function endOf(places: readonly Place[]): number {
  const last = places.at(-1)
  return last === undefined ? 0 : last.at + last.length
}

async function readFrames(file: FileHandle, path: string, from: number, to: number): Promise<PlacedFrame[]> {
  const bytes = await readAt(file, from, to - from)
  const frames = []
  for (let at = 0; at < bytes.length;) {
    const { length } = readFrameHeader(bytes.subarray(at))
    const frame = readFrame(bytes.subarray(at, at + length))
    // The last frame may be torn.
    if (frame === undefined && at + length === bytes.length) break
    if (frame === undefined) throw damaged(path, from + at)
    frames.push({ ...frame, at: from + at })
    at += length
  }
  return frames
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}

/** Returns the header of a whole recording and the rows of one of its steps; empty if there is no such step. */
export function stepOf(stored: StoredTrace, step: number): Row[] {
  const decoder = createDecoder(asWritten, { file: stored.file, limits: readingLimits() })
  const rows = stored.text.split('\n').flatMap((line) => decoder.decode(line) ?? [])
  const found = rows.filter((row) => 'step' in row && row.step === step)
  return found.length === 0 ? [] : [...rows.slice(0, 1), ...found]
}
