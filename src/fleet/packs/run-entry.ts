import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { TraceFormatError } from '../../trace/errors/trace-format-error.ts'
import { TraceLimitError } from '../../trace/errors/trace-limit-error.ts'
import { readingLimits } from '../../stores/reading-limits.ts'
import { SIGNATURE, writeFrame } from '../../stores/event-log/log-frame.ts'
import { isLog, readLog } from '../../stores/event-log/read-log.ts'
import { compress, decompress, hasDictionaries } from './zstd.ts'

/**
 * How a run is stored in a pack. `lines`: its JSON lines, compressed, with the dictionary of its agent if there is one. `log`: the unchanged
 * log, for large recordings and for recordings without an end.
 */
export type Encoding = 'lines' | 'log'

/** A run as stored in a pack. */
export interface EncodedRun {
  readonly encoding: Encoding
  readonly bytes: Uint8Array
}

/** The most characters of a recording that is compressed again. A longer one compresses well by itself, and its frames let a step be found. */
const MOST_LINES = 1_000_000

/** Returns the JSON lines of a recording: the bytes of a log or, from earlier releases, of lines. */
export function linesOf(log: Uint8Array, file: string): string {
  return isLog(log) ? readLog(log, file) : Buffer.from(log).toString()
}

/**
 * Encodes a recording for a pack.
 *
 * @param lines The recording's JSON lines.
 */
export function encodeRun(log: Uint8Array, lines: string, dictionary?: Uint8Array): EncodedRun {
  const isWhole = lines.includes('\n{"kind":"end"')
  if (isLog(log) && (!isWhole || lines.length > MOST_LINES)) return { encoding: 'log', bytes: log }
  return { encoding: 'lines', bytes: compress(Buffer.from(lines), dictionary) }
}

/**
 * Returns the JSON lines of a run in a pack.
 *
 * @param file The name in messages.
 * @throws TraceFormatError if it is damaged, GoldenrunError on a Node without zstd dictionaries.
 */
export function decodeRun({ encoding, bytes }: EncodedRun, dictionary: Uint8Array | undefined, file: string): string {
  if (encoding === 'log') return readLog(bytes, file)
  if (dictionary !== undefined && !hasDictionaries())
    throw new GoldenrunError(
      'GOLDENRUN_NODE',
      `${file} is compressed with a dictionary, which Node ${process.versions.node} cannot read. Use Node 22.19, 24.6 or newer.`,
    )
  const lines = decompressed(bytes, dictionary, file)
  if (lines !== undefined) return lines.toString()
  throw new TraceLimitError({ part: 'the trace', limit: 'traceBytes', bytes: readingLimits().traceBytes, file })
}

function decompressed(bytes: Uint8Array, dictionary: Uint8Array | undefined, file: string): Buffer | undefined {
  try {
    return decompress(bytes, dictionary)
  } catch (error) {
    const problem = 'its content is corrupted'
    throw new TraceFormatError({ file, problem, advice: 'Restore its pack from a backup, or remove the run.' }, { cause: error })
  }
}

/** Converts a run in a pack to a log: the same lines in a single frame. */
export function toLog(run: EncodedRun, dictionary: Uint8Array | undefined, file: string): Uint8Array {
  if (run.encoding === 'log') return run.bytes
  const lines = Buffer.from(decodeRun(run, dictionary, file))
  return linesToLog(lines)
}

/** Converts JSON lines to a log. */
export function linesToLog(lines: Uint8Array): Uint8Array {
  return Buffer.concat([SIGNATURE, writeFrame({ kind: 'keyframe', calls: 0, checkpoints: 0, payload: compress(lines) })])
}

/** Returns the flags of a run as an optional field. */
export function flagsOf(flags: readonly string[] = []): { readonly flags?: readonly string[] } {
  return flags.length === 0 ? {} : { flags }
}
