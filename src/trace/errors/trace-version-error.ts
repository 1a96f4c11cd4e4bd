import { FORMAT_VERSION } from '../rows.ts'
import { GOLDENRUN_VERSION } from '../version.ts'
import { GoldenrunError } from './goldenrun-error.ts'

/** Thrown for a trace that a newer goldenrun wrote: reading it would be a guess. */
export class TraceVersionError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_TRACE_VERSION'

  readonly file: string
  /** The format the file was written in. */
  readonly format: number
  /** The newest format that this release reads. */
  readonly supported: number = FORMAT_VERSION

  constructor(file: string, format: number) {
    super(
      TraceVersionError.code,
      `${file} was written in trace format ${format}; this goldenrun (${GOLDENRUN_VERSION}) reads up to ${FORMAT_VERSION}. ` +
        'Update goldenrun: npm install --save-dev goldenrun@latest',
    )
    this.name = 'TraceVersionError'
    this.file = file
    this.format = format
  }
}
