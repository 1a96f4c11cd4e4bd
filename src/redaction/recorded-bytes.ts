/** Redacted bytes of a `Buffer` as a `Buffer`. */
export function likeBefore(before: Uint8Array, redacted: Uint8Array): Uint8Array {
  return Buffer.isBuffer(before) && !Buffer.isBuffer(redacted) ? Buffer.from(redacted) : redacted
}

/** Whether a value in recorded form stands for a `Buffer`. */
export function isRecordedBuffer(object: object): boolean {
  const stands: unknown = '$' in object ? object.$ : undefined
  return typeof stands === 'object' && stands !== null && 'as' in stands && stands.as === 'Buffer'
}

/** The base64 of bytes in recorded form; undefined for anything else. */
export function recordedBytes(object: object): string | undefined {
  const stands: unknown = '$' in object ? object.$ : undefined
  return typeof stands === 'object' && stands !== null && 'bytes' in stands && typeof stands.bytes === 'string' ? stands.bytes : undefined
}
