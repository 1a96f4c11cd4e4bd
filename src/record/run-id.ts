import { builtins } from '../boundaries/builtins.ts'

/** A run's id: the time it started, to the millisecond, and eight random hexadecimal digits, so that ids sort by time: `20261121-021406123-9f2c41aa`. */
export function createRunId(startedAt: Date): string {
  const [year, month, day, hours, minutes, seconds, milliseconds] = startedAt.toISOString().split(/[-T:.Z]/)
  return `${year}${month}${day}-${hours}${minutes}${seconds}${milliseconds}-${drawHex(4)}`
}

/** An OpenTelemetry trace id: 32 hexadecimal digits. */
export function createTraceId(): string {
  return drawHex(16)
}

/** Drawn for some hundred ids at once: a draw takes longer than all the rest of a run's header. */
const drawn = new Uint8Array(4096)
let left = 0

function drawHex(size: number): string {
  if (left < size) {
    builtins.crypto.randomFillSync(drawn)
    left = drawn.length
  }
  left -= size
  return Buffer.from(drawn.buffer, left, size).toString('hex')
}
