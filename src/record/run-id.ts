import { builtins } from '../node/builtins.ts'

/**
 * A run's id: the time it started, to the millisecond, and eight hexadecimal digits: `20261121-021406123-1f2c41aa`. Ids sort by time; those that a
 * process makes in one millisecond sort as they were made: the digits are random, and one more than the last within its millisecond (as ULID has it,
 * https://github.com/ulid/spec#monotonicity). The first is 7 at most, so that there is room to count.
 *
 * @param startedAt In UTC, as `toISOString` has it.
 */
export function createRunId(startedAt: string): string {
  number = startedAt === lastStartedAt ? number + 1 : Number.parseInt(drawHex(4), 16) >>> 1
  lastStartedAt = startedAt
  const date = startedAt.slice(0, 4) + startedAt.slice(5, 7) + startedAt.slice(8, 10)
  const time = startedAt.slice(11, 13) + startedAt.slice(14, 16) + startedAt.slice(17, 19) + startedAt.slice(20, 23)
  return `${date}-${time}-${number.toString(16).padStart(8, '0')}`
}

let lastStartedAt = ''
let number = 0

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
