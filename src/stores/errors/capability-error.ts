import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

const CODE = 'GOLDENRUN_CAPABILITY'

/** Thrown if a store lacks a required capability. */
export class CapabilityError extends GoldenrunError {
  /** The method that the store lacks. */
  readonly capability: string

  /** @param what What cannot be done: `Cannot remove recordings`. */
  constructor(what: string, place: string, capability: string) {
    super(CODE, `${what}: ${place} has no "${capability}". Use a store that has it; a directory does.`)
    this.name = 'CapabilityError'
    this.capability = capability
  }

  static override isInstance(error: unknown): error is CapabilityError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}
