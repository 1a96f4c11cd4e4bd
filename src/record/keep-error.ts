import { toRecordedError } from '../trace/recorded-error.ts'
import type { RecordedError } from '../trace/rows.ts'
import type { RowRecorder } from './row-recorder.ts'

/** An error as the trace keeps it: its values as they are now, and redacted. */
export function keepError(error: unknown, where: string, run: Pick<RowRecorder, 'keep' | 'redactText'>): RecordedError {
  return keepRecorded(toRecordedError(error), where, run)
}

function keepRecorded(error: RecordedError, where: string, run: Pick<RowRecorder, 'keep' | 'redactText'>): RecordedError {
  const { cause, fields } = error
  return {
    ...error,
    message: run.redactText(error.message),
    ...(cause === undefined ? {} : { cause: keepRecorded(cause, `${where}.cause`, run) }),
    ...(fields === undefined ? {} : { fields: run.keep(fields, where) as Record<string, unknown> }),
    ...('value' in error ? { value: run.keep(error.value, where) } : {}),
  }
}
