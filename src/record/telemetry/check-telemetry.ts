import { OptionsError } from '../../trace/errors/options-error.ts'
import type { Telemetry } from './telemetry.ts'

/** @throws OptionsError for a value that is not a `Telemetry`. */
export function checkTelemetry(caller: string, telemetry: Telemetry | undefined): void {
  if (telemetry === undefined || typeof telemetry?.begin === 'function') return
  throw new OptionsError(caller, 'telemetry', 'has to be the result of otel() from goldenrun/otel: { telemetry: otel() }.')
}
