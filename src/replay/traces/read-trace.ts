import { readTraceText } from './read-trace-text.ts'
import type { Trace } from '../../trace/trace.ts'
import { keepFile } from './golden-files.ts'
import { type LocateOptions, locateTrace } from './locate-trace.ts'
import type { StoredTrace } from '../../stores/trace-store.ts'
import { inSlices } from '../../node/in-slices.ts'
import { addingUsage, usageOfSteps } from '../../models/usage.ts'
import { withUsageAtEnd } from '../../trace/assemble.ts'

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
  return await readStoredTrace(await locateTrace(idOrNameOrPath, options))
}

/** Reads a trace that was located. */
export async function readStoredTrace({ file, text, flags = [] }: StoredTrace): Promise<TraceAndFile> {
  const trace = await withUsageInSlices(await readTraceText(text, file))
  if (trace.header.golden !== undefined) keepFile(trace, file)
  return { trace, file, flags }
}

/** Adds the usage of model calls to a trace's end. The recorder does not read answers, so the reader of a recording has to. */
export function withUsage(trace: Trace): Trace {
  return lacksUsage(trace) ? withUsageAtEnd(trace, usageOfSteps(trace.steps)) : trace
}

/** The same, in slices. */
async function withUsageInSlices(trace: Trace): Promise<Trace> {
  return lacksUsage(trace) ? withUsageAtEnd(trace, await inSlices(addingUsage(trace.steps))) : trace
}

function lacksUsage({ end }: Trace): boolean {
  return end !== undefined && end.usage === undefined
}
