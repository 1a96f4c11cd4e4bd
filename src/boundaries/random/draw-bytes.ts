import type { Scope } from '../../run/scope.ts'

/** Memory that can be filled with random bytes. */
export type Fillable = ArrayBufferView | ArrayBufferLike

/**
 * Fills a range of memory with bytes that the run draws.
 *
 * @param real Fills the range with Node's own bytes.
 */
export function drawInto(scope: Scope, target: Uint8Array, real: () => void): void {
  const drawn = scope.run.readBytes(scope.owner, target.length, () => {
    real()
    return target.slice()
  })
  target.set(drawn)
}

/**
 * Returns the bytes that `randomFill(source, offset, size)` fills: offset and size count elements, not bytes. Returns undefined for
 * arguments that Node refuses.
 */
export function bytesToFill(source: unknown, offset: unknown = 0, size?: unknown): Uint8Array | undefined {
  if (!isFillable(source) || !isCount(offset) || (size !== undefined && !isCount(size))) return undefined
  const width = 'BYTES_PER_ELEMENT' in source ? Number(source.BYTES_PER_ELEMENT) : 1
  const start = offset * width
  const end = size === undefined ? source.byteLength : start + size * width
  return start <= end && end <= source.byteLength ? bytesOf(source).subarray(start, end) : undefined
}

function isFillable(value: unknown): value is Fillable {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function bytesOf(source: Fillable): Uint8Array {
  return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source)
}
