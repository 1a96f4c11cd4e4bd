import { toRecordedError } from '../trace/recorded-error.ts'
import type { RecordedError } from '../trace/rows.ts'

/** Takes a value down as it is now; what cannot be kept is noted as standing in `where`. */
export type Keep = (value: unknown, where: string) => unknown

/** An error with its values as they are now. */
export function keepError(error: unknown, where: string, keep: Keep): RecordedError {
  return keepRecorded(toRecordedError(error), where, keep)
}

function keepRecorded(error: RecordedError, where: string, keep: Keep): RecordedError {
  const { cause, fields } = error
  return {
    ...error,
    ...(cause === undefined ? {} : { cause: keepRecorded(cause, `${where}.cause`, keep) }),
    ...(fields === undefined ? {} : { fields: keep(fields, where) as Record<string, unknown> }),
    ...('value' in error ? { value: keep(error.value, where) } : {}),
  }
}
