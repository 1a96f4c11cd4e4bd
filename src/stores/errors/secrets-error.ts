import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown if the secrets kept for a recording cannot be read: their key is missing, or they were changed. */
export class SecretsError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_SECRETS'

  constructor(message: string, options?: ErrorOptions) {
    super(SecretsError.code, message, options)
    this.name = 'SecretsError'
  }
}
