import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown if secrets that were kept beside a recording cannot be read: without their key, or because they were changed. */
export class SecretsError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_SECRETS'

  constructor(message: string, options?: ErrorOptions) {
    super(SecretsError.code, message, options)
    this.name = 'SecretsError'
  }
}
