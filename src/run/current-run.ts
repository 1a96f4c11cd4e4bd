import { currentScope } from './scope.ts'

/** The run that the calling code is part of. */
export interface CurrentRun {
  readonly id: string
  /** 32 hexadecimal digits, as OpenTelemetry writes a trace id. */
  readonly traceId: string
  readonly mode: 'record' | 'replay'
  /** Flags the run for review; the reason is kept in the trace as a note. */
  flag(reason: string): void
}

/**
 * The run that the calling code is part of, or undefined outside a run.
 *
 * @example
 * currentRun()?.flag('customer asked twice')
 */
export function currentRun(): CurrentRun | undefined {
  const run = currentScope()?.run
  if (run === undefined) return undefined
  return { id: run.id, traceId: run.traceId, mode: run.mode, flag: (reason) => run.flag(reason) }
}
