import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown instead of overwriting an existing golden trace. */
export class GoldenExistsError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_GOLDEN_EXISTS'

  /** The golden's name. */
  readonly golden: string
  readonly file: string

  constructor(golden: string, file: string) {
    super(
      GoldenExistsError.code,
      `There is already a golden trace "${golden}": ${file}. ` +
        'Choose another name, or replace it: --force on the command line, { force: true } in code.',
    )
    this.name = 'GoldenExistsError'
    this.golden = golden
    this.file = file
  }
}
