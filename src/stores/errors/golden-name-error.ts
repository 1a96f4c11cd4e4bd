import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown for a name that cannot be a golden trace's file name. */
export class GoldenNameError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_GOLDEN_NAME'

  /** The golden's name. */
  readonly golden: string

  /** @param problem What is wrong with the name, as the end of a sentence that starts with it. */
  constructor(golden: string, problem: string) {
    super(
      GoldenNameError.code,
      `A golden trace cannot be named ${JSON.stringify(golden)}: ${problem}. ` +
        'Its name is the name of its file in golden-traces, such as "refund-twice", or "support/refund-twice" in a folder.',
    )
    this.name = 'GoldenNameError'
    this.golden = golden
  }
}
