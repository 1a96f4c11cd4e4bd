import { readTraceText } from './read-trace-text.ts'
import type { Trace } from '../../trace/trace.ts'
import { locateTrace, type LocateOptions } from './locate-trace.ts'
import { withUsageInSlices } from './with-usage.ts'

/** Where `readTrace` looks for recordings. */
export interface ReadTraceOptions extends LocateOptions {}

/**
 * Reads a trace: a golden by its name (`refund-twice`, in whatever folder of the nearest `golden-traces/` upwards it stands), a recording by its
 * id or the unique beginning of one, or any of them by the path of its file.
 *
 * @example
 * const trace = await readTrace('refund-twice')
 *
 * @throws GoldenrunError `GOLDENRUN_TRACE_NOT_FOUND` with the nearest names, `GOLDENRUN_TRACE_AMBIGUOUS` when it may mean several,
 *   `GOLDENRUN_TRACE_FORMAT` with file, line and field when the file is damaged, `GOLDENRUN_TRACE_VERSION` when a newer goldenrun wrote it.
 */
export async function readTrace(idOrNameOrPath: string, options: ReadTraceOptions = {}): Promise<Trace> {
  return (await readTraceAndFile(idOrNameOrPath, options)).trace
}

/** A trace, its file as messages call it, and why persons flagged its run. */
export interface TraceAndFile {
  readonly trace: Trace
  readonly file: string
  readonly flags: readonly string[]
}

/** The same, with what is known beside it. */
export async function readTraceAndFile(idOrNameOrPath: string, options: ReadTraceOptions = {}): Promise<TraceAndFile> {
  const { file, text, flags = [] } = await locateTrace(idOrNameOrPath, options)
  return { trace: await withUsageInSlices(await readTraceText(text, file)), file, flags }
}
