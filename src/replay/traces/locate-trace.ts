import { fileURLToPath } from 'node:url'
import { readTraceFile } from '../../stores/read-trace-file.ts'
import type { StoredTrace, TraceStore } from '../../stores/trace-store.ts'
import { LOG_EXTENSION } from '../../stores/store-files.ts'

/** Where to look for a trace. */
export interface LocateOptions {
  /** Where recordings live: a directory or a store. Default: `.goldenrun/runs` in the working directory. */
  readonly store?: string | TraceStore
}

/**
 * Finds a trace. A name that ends in `.jsonl` or `.runlog` is a path or the URL of a file. The URL of a recording in a remote store names
 * its id. Anything else is a golden's name, else a recording's id, its unique beginning or the id of its OpenTelemetry trace, else a path.
 *
 * @throws TraceNotFoundError, which lists the nearest names; TraceAmbiguousError if there are several candidates.
 */
export async function locateTrace(given: string, options: LocateOptions = {}): Promise<StoredTrace> {
  const wanted = given.startsWith('file://') ? fileURLToPath(given) : idInUrl(given)
  const isFile = isTraceFile(wanted)
  const stored = isFile ? ((await readTraceFile(wanted)) ?? (await readTraceFile(withSlashes(wanted)))) : undefined
  if (stored !== undefined) return stored
  // A path does not need the stores.
  const { failForPath, locateByName } = await import('./locate-by-name.ts')
  return isFile ? await failForPath(wanted) : await locateByName(wanted, options)
}

/** The id of a recording from its URL in a remote store: `redis://host:6379/0#20261121-…`. The store itself is passed as `--store`. */
function idInUrl(given: string): string {
  const [, id] = /^[a-z][\w+.-]*:[^#]*#(.+)$/i.exec(given) ?? []
  return id === undefined ? given : decodeURIComponent(id)
}

/** Whether a name is the path of a trace, by its extension, not the name of a golden or the id of a recording. */
export function isTraceFile(name: string): boolean {
  return name.endsWith('.jsonl') || name.endsWith(LOG_EXTENSION)
}

/** Converts a name or path that was joined on Windows; no golden's name contains a backslash. */
export function withSlashes(wanted: string): string {
  return wanted.replaceAll('\\', '/')
}
