import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown if a store lacks a required capability. */
export class CapabilityError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_CAPABILITY'

  /** The method that the store lacks. */
  readonly capability: string

  /** @param what The operation that failed: `Cannot remove recordings`. */
  constructor(what: string, place: string, capability: string) {
    super(CapabilityError.code, `${what}: ${place} has no "${capability}". Use a store that has it; a directory does.`)
    this.name = 'CapabilityError'
    this.capability = capability
  }
}
