import { builtins } from '../boundaries/builtins.ts'

/**
 * A run's id: the time it started, to the millisecond, and eight hexadecimal digits: `20261121-021406123-1f2c41aa`. Ids sort by time; those that a
 * process makes in one millisecond sort as they were made: the digits are random, and one more than the last within its millisecond (as ULID has it,
 * https://github.com/ulid/spec#monotonicity). The first is 7 at most, so that there is room to count.
 */
export function createRunId(startedAt: Date): string {
  const time = startedAt.toISOString().replace(/[-T:.Z]/g, '')
  last = { time, number: time === last.time ? last.number + 1 : Number.parseInt(drawHex(4), 16) >>> 1 }
  return `${time.slice(0, -9)}-${time.slice(-9)}-${last.number.toString(16).padStart(8, '0')}`
}

let last = { time: '', number: 0 }

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
