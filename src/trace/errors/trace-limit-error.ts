import type { ReadLimit } from '../read-limits.ts'
import { GoldenrunError } from './goldenrun-error.ts'

/** The known facts about a trace that takes too much. */
export interface TraceLimitFault {
  /** The part of the trace that takes too much: `the frame at byte 8`. */
  readonly part: string
  readonly limit: ReadLimit
  /** The value of the limit, in bytes. */
  readonly bytes: number
  /** The file's name as the reader gave it. */
  readonly file?: string
  /** 1 for the first line; absent when the part is not one line. */
  readonly line?: number
}

/** Thrown when reading a trace would take more memory than `limits` in the config allows. */
export class TraceLimitError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_TRACE_LIMIT'

  readonly fault: TraceLimitFault

  constructor(fault: TraceLimitFault) {
    super(TraceLimitError.code, messageOf(fault))
    this.name = 'TraceLimitError'
    this.fault = fault
  }
}

function messageOf({ part, limit, bytes, file, line }: TraceLimitFault): string {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}: `
  return (
    `${place}${part} takes more than ${bytes} bytes (limits.${limit}). ` +
    `If you trust the file, set a higher limits.${limit} in goldenrun.config.ts. Otherwise remove the file.`
  )
}
