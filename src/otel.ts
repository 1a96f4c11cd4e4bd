export { otel } from './otel/otel.ts'
export type { OtelOptions } from './otel/otel.ts'
export type { Telemetry } from './record/telemetry/telemetry.ts'
