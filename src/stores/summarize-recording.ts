import { asWritten } from '../trace/as-written.ts'
import { decodeChecked } from '../trace/decode-checked.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { TraceFormatError } from '../trace/errors/trace-format-error.ts'
import { readingLimits } from './reading-limits.ts'
import { isSummary } from './run-index/read-summary.ts'
import type { RunSummary } from './run-summary.ts'
import { summarizeRows } from './summarize-run.ts'
import type { StoredTrace } from './trace-store.ts'

/**
 * Computes the summary of a run from its recording.
 *
 * @throws GoldenrunError if the recording cannot be read.
 */
export function summarizeRecording({ text, file }: StoredTrace): RunSummary {
  try {
    // The hash is not needed.
    const summary = summarizeRows(decodeChecked(text, file, () => '', asWritten, readingLimits()).rows)
    if (isSummary(summary)) return summary
    throw new TypeError('a value is of the wrong type')
  } catch (error) {
    if (GoldenrunError.isInstance(error)) throw error
    const problem = `its rows are not what a recorder writes (${error instanceof Error ? error.message : String(error)})`
    throw new TraceFormatError({ file, problem, advice: 'Remove the file, or restore it from a backup.' })
  }
}
