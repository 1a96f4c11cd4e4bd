import { builtins } from '../../node/builtins.ts'

/**
 * The layout of a log's file: the signature, then frames. A frame is
 *
 * | bytes | what |
 * | --- | --- |
 * | 1 | its kind |
 * | 4 | how many bytes of payload it has |
 * | 4 | how many `call` rows stand before it |
 * | 4 | how many `checkpoint` rows stand before it |
 * | 4 | CRC-32 of all of this and of the payload |
 * | … | the payload: the next part of a zstd stream of whole JSON lines |
 *
 * Numbers are unsigned and little-endian.
 */
export interface Frame {
  readonly kind: FrameKind
  readonly calls: number
  readonly checkpoints: number
  readonly payload: Uint8Array
}

/**
 * `goes-on`: continues the zstd stream of the previous frame. `starts`: starts a new zstd stream. `keyframe`: starts a new stream, and nothing in it
 * refers to an earlier line.
 */
export type FrameKind = 'goes-on' | 'starts' | 'keyframe'

/** The first bytes of a log. The first byte does not occur in text; the seventh is the version. */
export const SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x47, 0x52, 0x4c, 0x4f, 0x47, 1, 0x0a)

/** The bytes of a frame before its payload. */
export const FRAME_HEADER = 17

/** Encodes a frame for the file. */
export function writeFrame({ kind, calls, checkpoints, payload }: Frame): Uint8Array {
  const frame = Buffer.allocUnsafe(FRAME_HEADER + payload.length)
  frame.writeUInt8(kinds.indexOf(kind), 0)
  frame.writeUInt32LE(payload.length, 1)
  frame.writeUInt32LE(calls, 5)
  frame.writeUInt32LE(checkpoints, 9)
  frame.set(payload, FRAME_HEADER)
  frame.writeUInt32LE(checksum(frame), 13)
  return frame
}

/** The header of a frame. */
export interface FrameHeader {
  readonly kind: FrameKind | undefined
  /** The length of the whole frame. */
  readonly length: number
  readonly calls: number
  readonly checkpoints: number
}

/** Reads the header of a frame from at least `FRAME_HEADER` bytes. */
export function readFrameHeader(bytes: Uint8Array): FrameHeader {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    kind: kinds[view.readUInt8(0)],
    length: FRAME_HEADER + view.readUInt32LE(1),
    calls: view.readUInt32LE(5),
    checkpoints: view.readUInt32LE(9),
  }
}

/** Reads a complete frame; undefined if it is corrupted. */
export function readFrame(bytes: Uint8Array): Frame | undefined {
  const { kind, calls, checkpoints } = readFrameHeader(bytes)
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (kind === undefined || view.readUInt32LE(13) !== checksum(view)) return undefined
  return { kind, calls, checkpoints, payload: bytes.subarray(FRAME_HEADER) }
}

const kinds: readonly FrameKind[] = ['goes-on', 'starts', 'keyframe']

function checksum(frame: Buffer): number {
  return builtins.zlib.crc32(frame.subarray(FRAME_HEADER), builtins.zlib.crc32(frame.subarray(0, 13)))
}
