import { decodeTrace } from '../trace/read.ts'
import type { RunSummary } from './run-summary.ts'
import { summarizeRows } from './summarize-run.ts'
import type { StoredTrace } from './trace-store.ts'

/**
 * What is known of a run, from its recording.
 *
 * @throws GoldenrunError where the recording cannot be read.
 */
export function summarizeRecording({ text, file }: StoredTrace): RunSummary {
  // Nobody asks for the hash.
  return summarizeRows(decodeTrace(text, file, () => '').rows)
}
