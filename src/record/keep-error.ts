import { toRecordedError } from '../trace/recorded-error.ts'
import type { RecordedError } from '../trace/rows.ts'
import type { RowRecorder } from './row-recorder.ts'

/** An error as the trace keeps it: its values as they are now, and redacted. */
export function keepError(error: unknown, where: string, run: Pick<RowRecorder, 'keep' | 'redactor'>): RecordedError {
  return keepRecorded(toRecordedError(error), where, run)
}

function keepRecorded(error: RecordedError, where: string, run: Pick<RowRecorder, 'keep' | 'redactor'>): RecordedError {
  const { cause, code, fields } = error
  return {
    ...error,
    message: run.redactor.text(error.message),
    ...(typeof code === 'string' ? { code: run.redactor.text(code) } : {}),
    ...(cause === undefined ? {} : { cause: keepRecorded(cause, `${where}.cause`, run) }),
    ...(fields === undefined ? {} : { fields: run.keep(fields, where) as Record<string, unknown> }),
    ...('value' in error ? { value: run.keep(error.value, where) } : {}),
  }
}
