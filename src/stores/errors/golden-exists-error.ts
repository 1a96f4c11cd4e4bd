import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

const CODE = 'GOLDENRUN_GOLDEN_EXISTS'

/** Thrown instead of overwriting an existing golden trace. */
export class GoldenExistsError extends GoldenrunError {
  /** The golden's name. */
  readonly golden: string
  readonly file: string

  constructor(golden: string, file: string) {
    super(
      CODE,
      `There is already a golden trace "${golden}": ${file}. ` +
        'Choose another name, or replace it: --force on the command line, { force: true } in code.',
    )
    this.name = 'GoldenExistsError'
    this.golden = golden
    this.file = file
  }

  static override isInstance(error: unknown): error is GoldenExistsError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}
