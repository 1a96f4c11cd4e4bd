import { TraceLimitError } from '../../trace/errors/trace-limit-error.ts'
import { parseJson } from '../../trace/json.ts'
import { expand, measure, UNMEASURED } from '../expand.ts'
import { readingLimits } from '../reading-limits.ts'
import { TraceFormatError } from '../../trace/errors/trace-format-error.ts'
import { TraceVersionError } from '../../trace/errors/trace-version-error.ts'
import { atOnce, Slices } from '../../trace/slices.ts'
import { FRAME_HEADER, type Frame, readFrame, readFrameHeader, SIGNATURE } from './log-frame.ts'

/** Returns whether bytes are a log, or the beginning of one. */
export function isLog(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes[0] === SIGNATURE[0]
}

/**
 * Returns the JSON lines of a log. A `torn-tail` note replaces a part that a crash cut off.
 *
 * @param file The name in messages.
 * @throws TraceFormatError if the log is corrupted, TraceVersionError for a log that a newer goldenrun wrote.
 */
export function readLog(bytes: Uint8Array, file: string): string {
  return atOnce(readingLog(bytes, file))
}

/** Like `readLog`, in slices. */
export function* readingLog(bytes: Uint8Array, file: string): Generator<undefined, string> {
  const { frames, torn } = readFrames(bytes, file)
  const slices = new Slices()
  let text = ''
  const streams = streamsOf(frames)
  let isMeasured = false
  for (const [index, stream] of streams.entries()) {
    const lines = decompress(stream, file)
    const size = text.length + lines.length
    if (size > UNMEASURED && !isMeasured) {
      isMeasured = true
      checkSize(streams.slice(index + 1), size, file)
    }
    checkSize([], size, file)
    text += lines
    if (slices.isFullWith(lines.length)) yield
  }
  return torn === undefined || isEnded(text) ? text : `${text}${tornNote(text, torn)}\n`
}

/**
 * Decompresses frames that are a zstd stream, or the beginning of one, into lines.
 *
 * @throws TraceFormatError if they are damaged, TraceLimitError if they would take too much.
 */
export function decompress(frames: readonly PlacedFrame[], file: string): string {
  const [first] = frames
  if (first === undefined) return ''
  const { frameBytes } = readingLimits()
  let bytes: Buffer | undefined
  try {
    bytes = expand(bytesOf(frames), { limit: frameBytes, isOpen: true })
  } catch (error) {
    throw damaged(file, first.at, error)
  }
  if (bytes !== undefined) return bytes.toString('utf8')
  throw new TraceLimitError({ part: `the frame at byte ${first.at}`, limit: 'frameBytes', bytes: frameBytes, file })
}

/** @throws TraceLimitError if streams are longer than what is left of the trace's limit. @param size The length of the trace before them. */
function checkSize(streams: readonly (readonly PlacedFrame[])[], size: number, file: string): void {
  const { traceBytes } = readingLimits()
  let whole = size
  for (const stream of streams) if (whole <= traceBytes) whole += measure(bytesOf(stream), traceBytes - whole)
  if (whole > traceBytes) throw new TraceLimitError({ part: 'the trace', limit: 'traceBytes', bytes: traceBytes, file })
}

function bytesOf(frames: readonly Frame[]): Buffer {
  return Buffer.concat(frames.map(({ payload }) => payload))
}

/** A frame, and the byte of the file at which it starts. */
export interface PlacedFrame extends Frame {
  readonly at: number
}

/** Groups frames by the zstd stream that they belong to. */
export function streamsOf(frames: readonly PlacedFrame[]): PlacedFrame[][] {
  const streams: PlacedFrame[][] = []
  for (const frame of frames) {
    const last = streams.at(-1)
    if (frame.kind === 'goes-on' && last !== undefined) last.push(frame)
    else streams.push([frame])
  }
  return streams
}

/** @throws TraceFormatError, TraceVersionError */
export function checkSignature(bytes: Uint8Array, file: string): void {
  const version = bytes[6] ?? 1
  if (isStart(bytes) && version > 1) throw new TraceVersionError(file, version)
  if (!isStart(bytes)) throw damaged(file, 0)
}

/** Creates the error for a corrupted log. */
export function damaged(file: string, at: number, cause?: unknown): TraceFormatError {
  const fault = {
    problem: `the log is damaged: the frame at byte ${at} is corrupted`,
    file,
    advice: 'Restore it from a backup, or record the run again.',
  }
  return new TraceFormatError(fault, cause === undefined ? undefined : { cause })
}

interface Frames {
  readonly frames: PlacedFrame[]
  /** The byte at which an incomplete frame starts; undefined if the log ends with a complete frame. */
  readonly torn?: number
}

function readFrames(bytes: Uint8Array, file: string): Frames {
  if (bytes.length > 0) checkSignature(bytes, file)
  const frames: PlacedFrame[] = []
  let at = SIGNATURE.length
  while (at < bytes.length) {
    const frame = frameAt(bytes, at)
    if (frame === undefined) {
      if (hasFrameAfter(bytes, at)) throw damaged(file, at)
      return { frames, torn: at }
    }
    if (!follows(frame, frames.at(-1))) throw damaged(file, at)
    frames.push({ ...frame, at })
    at += FRAME_HEADER + frame.payload.length
  }
  return { frames }
}

/** Returns whether a frame can follow another one: a frame counts the rows before it. */
function follows({ kind, calls, checkpoints }: Frame, before: Frame | undefined): boolean {
  if (before === undefined) return kind !== 'goes-on' && calls === 0 && checkpoints === 0
  return calls >= before.calls && checkpoints >= before.checkpoints
}

function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  if (at + FRAME_HEADER > bytes.length) return undefined
  const { kind, length } = readFrameHeader(bytes.subarray(at, at + FRAME_HEADER))
  return kind === undefined || at + length > bytes.length ? undefined : readFrame(bytes.subarray(at, at + length))
}

/** Returns whether a complete frame follows an invalid one. If so, the invalid one is not a torn tail, which is always at the end of the file. */
function hasFrameAfter(bytes: Uint8Array, at: number): boolean {
  for (let next = at + 1; next + FRAME_HEADER < bytes.length; next += 1) if (isFrame(frameAt(bytes, next))) return true
  return false
}

/** Rejects a series of zeros, whose checksum is zero. */
function isFrame(frame: Frame | undefined): boolean {
  return frame !== undefined && frame.payload.length > 0
}

function isStart(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => index === 6 || index >= bytes.length || byte === bytes[index])
}

/** Returns whether the last line is the run's last row, so that anything after it can be ignored. */
function isEnded(text: string): boolean {
  return text.startsWith('{"kind":"end"', text.lastIndexOf('\n', text.length - 2) + 1)
}

function tornNote(text: string, at: number): string {
  return JSON.stringify({ kind: 'note', what: 'torn-tail', where: `byte ${at}`, at: latest(text) })
}

/** Returns the time of the last row that has one. */
function latest(text: string): number {
  for (let end = text.length - 1; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const row = parseJson(text.slice(start, end)) as { readonly at?: unknown; readonly kind?: unknown } | null | undefined
    if (row?.kind !== 'text' && typeof row?.at === 'number') return row.at
    end = start - 1
  }
  return 0
}
