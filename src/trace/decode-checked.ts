import { assembling } from './assemble.ts'
import type { TraceCheck } from './trace-check.ts'
import { adviceFor, createDecoder } from './codec/decoder.ts'
import { measureReferences } from './codec/measure-references.ts'
import { TraceFormatError } from './errors/trace-format-error.ts'
import { TraceLimitError } from './errors/trace-limit-error.ts'
import { defaultReadLimits, type ReadLimits } from './read-limits.ts'
import type { Digest } from './hash.ts'
import type { Row } from './rows.ts'
import { atOnce, Slices } from './slices.ts'
import type { Trace } from './trace.ts'
import { parseJson } from './json.ts'

/**
 * Reads a trace from the text of its file, checking each row and value with `check`. Throws a `TraceLimitError` if that would take more
 * than `limits`.
 *
 * A recording whose last line is cut (the process died while writing) is read up to that line, which is replaced by a `torn-tail` note. A golden is
 * never cut legitimately, so a cut golden is an error, even if it is cut between two rows.
 */
export function decodeChecked(text: string, file: string, digest: Digest, check: TraceCheck, limits?: Required<ReadLimits>): Trace {
  return atOnce(decoding(text, file, digest, check, limits))
}

/** Like `decodeChecked`, in slices. */
export function* decoding(
  text: string,
  file: string,
  digest: Digest,
  check: TraceCheck,
  limits: Required<ReadLimits> = defaultReadLimits,
): Generator<undefined, Trace> {
  const lines = (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).split('\n')
  const torn = findTornLine(lines)
  const slices = new Slices()
  const decoder = createDecoder(check, { file, limits, size: checkedSize(text, file, limits) })
  let isMeasured = false
  const rows: Row[] = []
  for (const [index, line] of lines.entries()) {
    if (index === torn && canBeTorn(rows)) {
      rows.push({ kind: 'note', what: 'torn-tail', where: `line ${index + 1}`, at: latest(rows) })
      continue
    }
    const row = decoder.decode(line)
    if (row !== undefined) rows.push(row)
    if (decoder.taken > UNMEASURED && !isMeasured) {
      isMeasured = true
      checkSize(text.length + decoder.taken + measureReferences(lines, index + 1), file, limits)
    }
    if (slices.isFullWith(line.length)) yield
  }
  if (rows.length === 0) {
    throw new TraceFormatError({ problem: 'the file is empty and has no run row', file, advice: adviceFor(false, file) })
  }
  if (isCutGolden(rows)) {
    const problem = `the golden is cut off: it has no end row, and no note that the run was promoted unfinished`
    throw new TraceFormatError({ problem, file, line: lines.findLastIndex((line) => line.trim() !== '') + 1, advice: adviceFor(true) })
  }
  return yield* assembling(rows, digest)
}

/** Replaces the end in a golden of a run that had none. Without it, such a golden would look like one that is cut. */
export const UNFINISHED = 'unfinished'

/** Once the references of a trace have taken so many bytes, the others are measured before they are built. */
const UNMEASURED = 64_000_000

function checkedSize({ length }: string, file: string, limits: Required<ReadLimits>): number {
  checkSize(length, file, limits)
  return length
}

function checkSize(size: number, file: string, { traceBytes }: Required<ReadLimits>): void {
  if (size > traceBytes) throw new TraceLimitError({ part: 'the trace', limit: 'traceBytes', bytes: traceBytes, file })
}

const BYTE_ORDER_MARK = '\uFEFF'

/** Returns the index of a last line that is incomplete and has no line break. */
function findTornLine(lines: readonly string[]): number | undefined {
  const last = lines.at(-1) ?? ''
  return last.trim() === '' || parseJson(last) !== undefined ? undefined : lines.length - 1
}

function canBeTorn([header]: readonly Row[]): boolean {
  return header?.kind === 'run' && header.golden === undefined
}

function isCutGolden(rows: readonly Row[]): boolean {
  const [header] = rows
  if (header?.kind !== 'run' || header.golden === undefined) return false
  return rows.findLast((row) => row.kind === 'end' || (row.kind === 'note' && row.what === UNFINISHED)) === undefined
}

function latest(rows: readonly Row[]): number {
  return rows.reduce((at, row) => ('at' in row ? row.at : at), 0)
}
