import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { printable } from '../../trace/printable.ts'

/** Thrown for a name that cannot be a golden trace's file name. */
export class GoldenNameError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_GOLDEN_NAME'

  /** The golden's name, safe to print. */
  readonly golden: string

  /**
   * @param problem What is wrong with the name, as the end of a sentence that starts with it.
   * @param file The file that has it, as named in messages. Default: none has it yet.
   */
  constructor(golden: string, problem: string, file?: string) {
    super(
      GoldenNameError.code,
      `A golden trace cannot be named ${JSON.stringify(golden)}: ${problem}. ` +
        (file === undefined
          ? 'Its name is the name of its file in golden-traces, such as "refund-twice", or "support/refund-twice" in a folder.'
          : `Rename or delete the file ${printable(file)}.`),
    )
    this.name = 'GoldenNameError'
    // Vitest prints an error's fields as they are.
    this.golden = printable(golden)
  }
}
