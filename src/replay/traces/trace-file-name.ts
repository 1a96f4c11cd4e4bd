import { LOG_EXTENSION } from '../../stores/store-files.ts'

/** Whether a name is the path of a trace, by its extension, and not the name of a golden or the id of a recording. */
export function isTraceFile(name: string): boolean {
  return name.endsWith('.jsonl') || name.endsWith(LOG_EXTENSION)
}

/** Converts a name or path that was joined on Windows; no golden's name contains a backslash. */
export function withSlashes(wanted: string): string {
  return wanted.replaceAll('\\', '/')
}
