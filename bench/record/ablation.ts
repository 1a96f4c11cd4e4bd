import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { LogWriter } from '../../src/stores/event-log/log-writer.ts'
import { Compressor } from '../../src/stores/event-log/compressor.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import type { Row } from '../../src/trace/rows.ts'
import type { Metric } from '../figures.ts'

/** A recording, and the JSON lines that it stands for. */
export interface Recorded {
  readonly rows: readonly Row[]
  /** In bytes. */
  readonly raw: number
  /** The size in bytes of the log of the same run with every redaction rule off. */
  readonly unredacted: number
}

/** Measures what each technique of writing a log contributes: the same rows, written without it. All are flushed when a step settles. */
export function measureAblation(steps: number, { rows, raw, unredacted }: Recorded): Record<string, Metric> {
  const whole = logSize(rows)
  const tell = (bytes: number, what: string): Metric => ({
    value: raw / bytes,
    unit: 'x',
    better: 'more',
    against: `raw JSON lines; ${what}: ${(bytes / 1e6).toPrecision(3)} MB against ${(whole / 1e6).toPrecision(3)} MB with everything on`,
  })
  const named = (part: string): string => `bytes_ratio_${steps}_without_${part}`
  return {
    [named('delta')]: tell(
      logSize(rows.map(withNameOfItsOwn)),
      'no call is written as a continuation of the one before; messages that were written before are referred to',
    ),
    [named('delta_and_dedupe')]: tell(compressedSize(rows), 'rows as JSON, compressed with keyframes'),
    [named('zstd')]: tell(encodedSize(rows), 'lines as they are read back, not compressed'),
    [named('keyframes')]: tell(
      logSize(rows, Infinity),
      'one stream from the first row to the last: reading a step takes reading everything before it',
    ),
    [named('redaction')]: tell(unredacted, 'every rule is off'),
  }
}

/** Gives a call a unique name. A call that continues another one is found by its name. */
function withNameOfItsOwn(row: Row): Row {
  return row.kind === 'call' ? { ...row, name: `${row.name} ${row.step}` } : row
}

function settles(row: Row): boolean {
  return row.kind === 'return' || row.kind === 'throw' || row.kind === 'end'
}

function logSize(rows: readonly Row[], keyframeEvery?: number): number {
  const directory = mkdtempSync(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    const file = path.join(directory, 'log')
    const writer = new LogWriter(file, keyframeEvery === undefined ? {} : { keyframeEvery })
    for (const row of rows) {
      writer.write(row)
      if (settles(row)) writer.flush()
    }
    writer.close()
    return statSync(file).size
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The same interval as in logs. */
const KEYFRAME = 262_144

function compressedSize(rows: readonly Row[]): number {
  let [size, since] = [0, 0]
  let compressor = new Compressor()
  for (const row of rows) {
    const { length } = compressor.compress(`${JSON.stringify(row)}\n`)
    size += length
    since += length
    if (since < KEYFRAME || !settles(row)) continue
    compressor.close()
    compressor = new Compressor()
    since = 0
  }
  compressor.close()
  return size
}

function encodedSize(rows: readonly Row[]): number {
  const encoder = createEncoder()
  return rows.flatMap((row) => encoder.encode(row)).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}
