import { builtins } from '../node/builtins.ts'

/**
 * Creates a run's id: the time it started, to the millisecond, and eight hexadecimal digits: `20261121-021406123-1f2c41aa`. Ids sort by time, and ids
 * that a process creates in one millisecond sort in creation order: the digits are random, and one more than the previous ones within the same
 * millisecond (as in ULID, https://github.com/ulid/spec#monotonicity). The first digit is at most 7, which leaves room to count.
 *
 * @param startedAt In UTC, in the format of `toISOString`.
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

/** Creates an OpenTelemetry trace id: 32 hexadecimal digits. */
export function createTraceId(): string {
  return drawHex(16)
}

/** Drawn for a few hundred ids at once: a draw takes longer than the rest of a run's header. */
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
