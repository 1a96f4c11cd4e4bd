import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown for a config that cannot be loaded or is invalid. */
export class ConfigError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_CONFIG'

  /** Its name in messages. */
  readonly file: string
  /** The invalid field: `check.maxAgeDays`; absent if the whole file is invalid. */
  readonly field?: string
  /** The problem, as worded in the message. */
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
