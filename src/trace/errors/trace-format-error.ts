import { GoldenrunError } from './goldenrun-error.ts'

/** The known facts about a fault in a trace. */
export interface TraceFormatFault {
  /** The problem, as a sentence without its full stop. */
  readonly problem: string
  /** The path of the faulty field within its row (`golden.expect.at`); absent when the row as a whole is at fault. */
  readonly field?: string
  /** The file's name as the reader gave it; absent for a value that was not read from a file. */
  readonly file?: string
  /** 1 for the first line; absent when the file as a whole is at fault. */
  readonly line?: number
  /** The advice, as sentences. */
  readonly advice?: string
}

/** Thrown when a trace does not match its format: the file was edited by hand, cut or damaged. */
export class TraceFormatError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_TRACE_FORMAT'

  readonly problem: string
  readonly field: string | undefined
  readonly file: string | undefined
  readonly line: number | undefined

  constructor(fault: TraceFormatFault, options?: ErrorOptions) {
    super(TraceFormatError.code, messageOf(fault), options)
    this.name = 'TraceFormatError'
    this.problem = fault.problem
    this.field = fault.field
    this.file = fault.file
    this.line = fault.line
  }
}

function messageOf({ problem, file, line, advice }: TraceFormatFault): string {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}: `
  return `${place}${problem}.${advice === undefined ? '' : ` ${advice}`}`
}
