import { builtins } from '../boundaries/builtins.ts'

/** A run's id: the time it started, to the millisecond, and eight random hexadecimal digits, so that ids sort by time: `20261121-021406123-9f2c41aa`. */
export function createRunId(startedAt: Date): string {
  const [date, time] = startedAt.toISOString().split('T')
  return `${date?.replaceAll('-', '')}-${time?.replaceAll(/[:.Z]/g, '')}-${builtins.crypto.randomBytes(4).toString('hex')}`
}

/** An OpenTelemetry trace id: 32 hexadecimal digits. */
export function createTraceId(): string {
  return builtins.crypto.randomBytes(16).toString('hex')
}
