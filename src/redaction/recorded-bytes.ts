import { isJsonObject } from '../trace/json.ts'

/** Returns redacted bytes as a `Buffer` if they were one before. */
export function likeBefore(before: Uint8Array, redacted: Uint8Array): Uint8Array {
  return Buffer.isBuffer(before) && !Buffer.isBuffer(redacted) ? Buffer.from(redacted) : redacted
}

/** Bytes in recorded form: their base64, and `Buffer` if they were one. */
export interface RecordedBytes {
  readonly bytes: string
  readonly as?: unknown
}

/** Returns the contents of a `$` object that represents bytes; undefined for anything else. */
export function recordedBytes(object: object): RecordedBytes | undefined {
  const stands: unknown = Reflect.get(object, '$')
  return isJsonObject(stands) && typeof stands['bytes'] === 'string' ? (stands as unknown as RecordedBytes) : undefined
}
