import { printValue } from '../divergence/print-value.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** Thrown by a matcher that receives anything but a replayed run. */
class NotARunError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_NOT_A_RUN'

  readonly matcher: string

  constructor(matcher: string, received: unknown) {
    super(
      NotARunError.code,
      `${matcher} needs a replayed run, or a promise of one, but got ${printValue(received, 60)}. ` +
        "Pass it the result of replay: expect(await replay('cancel-unshipped', agent))",
    )
    this.name = 'NotARunError'
    this.matcher = matcher
  }
}

/** @throws NotARunError if the value is not a replayed run. */
export function checkRun(matcher: string, value: unknown): ReplayedRun {
  if (isRun(value)) return value
  throw new NotARunError(matcher, value)
}

/** Whether a value is a replayed run. */
export function isRun(value: unknown): value is ReplayedRun {
  if (typeof value !== 'object' || value === null) return false
  const { trace, outcome, divergences } = value as Partial<ReplayedRun>
  return typeof trace?.header === 'object' && typeof outcome?.status === 'string' && Array.isArray(divergences)
}
