import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Why a request to object storage failed. `unavailable` may pass by itself; the others do not. */
export type StorageProblem = 'forbidden' | 'no-bucket' | 'no-credentials' | 'refused' | 'unavailable' | 'damaged'

/** Thrown if a request to object storage fails. Its message holds no credentials. */
export class StorageError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_STORAGE'

  readonly problem: StorageProblem
  /** The URL of the bucket, without credentials. */
  readonly place: string

  constructor(fault: { readonly problem: StorageProblem; readonly place: string; readonly message: string }, options?: ErrorOptions) {
    super(StorageError.code, fault.message, options)
    this.name = 'StorageError'
    this.problem = fault.problem
    this.place = fault.place
  }
}
