import { isJsonObject } from '../trace/json.ts'

/** Redacted bytes of a `Buffer` as a `Buffer`. */
export function likeBefore(before: Uint8Array, redacted: Uint8Array): Uint8Array {
  return Buffer.isBuffer(before) && !Buffer.isBuffer(redacted) ? Buffer.from(redacted) : redacted
}

/** What stands for bytes in recorded form: their base64, and `Buffer` for those of one. */
export interface RecordedBytes {
  readonly bytes: string
  readonly as?: unknown
}

/** What an object with the only key `$` holds where it stands for bytes; undefined for anything else. */
export function recordedBytes(object: object): RecordedBytes | undefined {
  const stands: unknown = Reflect.get(object, '$')
  return isJsonObject(stands) && typeof stands['bytes'] === 'string' ? (stands as unknown as RecordedBytes) : undefined
}
