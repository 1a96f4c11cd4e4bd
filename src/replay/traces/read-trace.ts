import { readTraceText } from './read-trace-text.ts'
import type { Trace } from '../../trace/trace.ts'
import { locateTrace, type LocateOptions } from './locate-trace.ts'
import { withUsageInSlices } from './with-usage.ts'

/** Where `readTrace` looks for recordings. */
export interface ReadTraceOptions extends LocateOptions {}

/**
 * Reads a trace: a golden by its name (`refund-twice`, in any folder of the nearest `golden-traces/` upwards), a recording by its id or the
 * unique beginning of one, or either by the path of its file.
 *
 * @example
 * const trace = await readTrace('refund-twice')
 *
 * @throws GoldenrunError `GOLDENRUN_TRACE_NOT_FOUND` with the nearest names, `GOLDENRUN_TRACE_AMBIGUOUS` if there are several candidates,
 * `GOLDENRUN_TRACE_FORMAT` with file, line and field when the file is damaged, `GOLDENRUN_TRACE_VERSION` when a newer goldenrun wrote it.
 */
export async function readTrace(idOrNameOrPath: string, options: ReadTraceOptions = {}): Promise<Trace> {
  return (await readTraceAndFile(idOrNameOrPath, options)).trace
}

/** A trace, its file as named in messages, and the reasons for which users flagged its run. */
export interface TraceAndFile {
  readonly trace: Trace
  readonly file: string
  readonly flags: readonly string[]
}

/** The same, with the file and flags. */
export async function readTraceAndFile(idOrNameOrPath: string, options: ReadTraceOptions = {}): Promise<TraceAndFile> {
  const { file, text, flags = [] } = await locateTrace(idOrNameOrPath, options)
  return { trace: await withUsageInSlices(await readTraceText(text, file)), file, flags }
}
