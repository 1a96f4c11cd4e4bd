import type { ResumePoint } from './active-run.ts'
import { currentScope } from './scope.ts'

/** The run that the calling code is part of. */
export interface CurrentRun {
  readonly id: string
  /** 32 hexadecimal digits, in the form of an OpenTelemetry trace id. */
  readonly traceId: string
  readonly mode: 'record' | 'replay'
  /** Where the run was resumed, if it does not start at its beginning: `resume` of `goldenrun/replay` replays it from a checkpoint on. */
  readonly resumedFrom?: ResumePoint
  /** Flags the run for review; the reason is kept in the trace as a note. */
  flag(reason: string): void
}

/**
 * Returns the run that the calling code is part of, or undefined outside of a run.
 *
 * @example
 * currentRun()?.flag('customer asked twice')
 */
export function currentRun(): CurrentRun | undefined {
  const run = currentScope()?.run
  if (run === undefined) return undefined
  const { id, traceId, mode, resumedFrom } = run
  return { id, traceId, mode, ...(resumedFrom && { resumedFrom: resumedFrom() }), flag: (reason) => run.flag(reason) }
}
