import { randomBytes } from 'node:crypto'

/** A run's id: the time it started, to the second, and eight random hexadecimal digits, so that ids sort by time: `20261121-021406-9f2c41aa`. */
export function createRunId(startedAt: Date): string {
  const [date, time] = startedAt.toISOString().split('T')
  return `${date?.replaceAll('-', '')}-${time?.slice(0, 8).replaceAll(':', '')}-${randomBytes(4).toString('hex')}`
}

/** An OpenTelemetry trace id: 32 hexadecimal digits. */
export function createTraceId(): string {
  return randomBytes(16).toString('hex')
}
