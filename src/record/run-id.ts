import { builtins } from '../boundaries/builtins.ts'

/** A run's id: the time it started, to the millisecond, and eight random hexadecimal digits, so that ids sort by time: `20261121-021406123-9f2c41aa`. */
export function createRunId(startedAt: Date): string {
  const time = startedAt.toISOString().replace(/[-T:.Z]/g, '')
  return `${time.slice(0, -9)}-${time.slice(-9)}-${drawHex(4)}`
}

/** An OpenTelemetry trace id: 32 hexadecimal digits. */
export function createTraceId(): string {
  return drawHex(16)
}

/** Drawn for some hundred ids at once: a draw takes longer than all the rest of a run's header. */
let drawn = ''
let next = 0

/** @param size In bytes. */
function drawHex(size: number): string {
  if (next + size * 2 > drawn.length) {
    drawn = builtins.crypto.randomBytes(4096).toString('hex')
    next = 0
  }
  next += size * 2
  return drawn.slice(next - size * 2, next)
}
