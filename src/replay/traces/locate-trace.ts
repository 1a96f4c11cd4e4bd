import { fileURLToPath } from 'node:url'
import { readTraceFile } from '../../stores/read-trace-file.ts'
import type { StoredTrace, TraceStore } from '../../stores/trace-store.ts'
import { isTraceFile, withSlashes } from './trace-file-name.ts'

/** Where to look for a trace. */
export interface LocateOptions {
  /** Where recordings live: a directory or a store. Default: `.goldenrun/runs` in the working directory. */
  readonly store?: string | TraceStore
}

/**
 * Finds a trace: a name that ends in `.jsonl` or `.runlog` is a path, or a URL of a file. Anything else is a golden's name, else a
 * recording's id, the unique beginning of one or the id of its OpenTelemetry trace, else a path.
 *
 * @throws TraceNotFoundError, which lists the nearest names; TraceAmbiguousError if there are several candidates.
 */
export async function locateTrace(given: string, options: LocateOptions = {}): Promise<StoredTrace> {
  const wanted = given.startsWith('file://') ? fileURLToPath(given) : given
  const isFile = isTraceFile(wanted)
  const stored = isFile ? ((await readTraceFile(wanted)) ?? (await readTraceFile(withSlashes(wanted)))) : undefined
  if (stored !== undefined) return stored
  // A path does not need the stores.
  const { failForPath, locateByName } = await import('./locate-by-name.ts')
  return isFile ? await failForPath(wanted) : await locateByName(wanted, options)
}
