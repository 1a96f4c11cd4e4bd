import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

const CODE = 'GOLDENRUN_CONFIG'

/** Thrown for a config that cannot be loaded or is invalid. */
export class ConfigError extends GoldenrunError {
  /** Its name in messages. */
  readonly file: string
  /** The field that is wrong: `check.maxAgeDays`; absent if the whole file is wrong. */
  readonly field?: string

  constructor(
    {
      file,
      field,
      problem,
      advice,
    }: { readonly file: string; readonly field?: string; readonly problem: string; readonly advice?: string },
    options?: ErrorOptions,
  ) {
    const where = field === undefined ? file : `${file}: the field ${field}`
    super(CODE, [`${where} ${problem}`, ...(advice === undefined ? [] : [advice])].join(' '), options)
    this.name = 'ConfigError'
    this.file = file
    if (field !== undefined) this.field = field
  }

  static override isInstance(error: unknown): error is ConfigError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}
