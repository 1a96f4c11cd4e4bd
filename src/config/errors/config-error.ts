import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown for a config that cannot be loaded or is invalid. */
export class ConfigError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_CONFIG'

  /** Its name in messages. */
  readonly file: string
  /** The field that is wrong: `check.maxAgeDays`; absent if the whole file is wrong. */
  readonly field?: string
  /** What is wrong with it, as the message says. */
  readonly problem: string

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
    super(ConfigError.code, [`${where} ${problem}`, ...(advice === undefined ? [] : [advice])].join(' '), options)
    this.name = 'ConfigError'
    this.file = file
    this.problem = problem
    if (field !== undefined) this.field = field
  }
}
