import type { RecordedError } from '../trace/rows.ts'

/** What is compared of an error: never its stack. */
export function comparableError({ name, message, code, status }: RecordedError): object {
  return { name, message, ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}
