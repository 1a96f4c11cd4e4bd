import { OptionsError } from '../../trace/errors/options-error.ts'
import type { Telemetry } from './telemetry.ts'

/** @throws OptionsError for what is no telemetry. */
export function checkTelemetry(caller: string, telemetry: Telemetry | undefined): void {
  if (telemetry === undefined || typeof telemetry?.begin === 'function') return
  throw new OptionsError(caller, 'telemetry', 'has to be what otel() of goldenrun/otel gives: { telemetry: otel() }.')
}
