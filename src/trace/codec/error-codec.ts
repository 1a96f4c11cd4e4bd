import { omitUndefined, type Json } from '../json.ts'
import type { RecordedError } from '../rows.ts'
import type { EncodedError } from './encoded-rows.ts'

/** Encodes an error for a file; `write` writes its fields, and the thrown value if that was not an error. */
export function encodeError(error: RecordedError, write: (value: unknown) => Json): EncodedError {
  return {
    name: error.name,
    message: error.message,
    ...omitUndefined({ class: error.class, code: error.code, status: error.status }),
    ...(error.cause === undefined ? {} : { cause: encodeError(error.cause, write) }),
    ...(error.fields === undefined ? {} : { fields: write(error.fields) }),
    ...('value' in error ? { value: write(error.value) } : {}),
  }
}

/** The inverse of `encodeError`; `read` receives the name of the field that it reads. */
export function decodeError(error: EncodedError, read: (json: Json, field: string) => unknown, field: string = 'error'): RecordedError {
  const { cause, fields, value, ...plain } = error
  return {
    ...plain,
    ...(cause === undefined ? {} : { cause: decodeError(cause, read, `${field}.cause`) }),
    ...(fields === undefined ? {} : { fields: read(fields, `${field}.fields`) as Record<string, unknown> }),
    ...(value === undefined ? {} : { value: read(value, `${field}.value`) }),
  }
}
