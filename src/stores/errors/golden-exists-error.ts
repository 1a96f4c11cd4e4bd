import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

const CODE = 'GOLDENRUN_GOLDEN_EXISTS'

/** Thrown instead of writing over a golden trace that is there. */
export class GoldenExistsError extends GoldenrunError {
  /** The golden's name. */
  readonly golden: string
  readonly file: string

  constructor(golden: string, file: string) {
    super(
      CODE,
      `There is a golden trace "${golden}" already: ${file}. ` +
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
