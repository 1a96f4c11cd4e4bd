import { checked } from './check-row.ts'
import { decodeChecked } from './decode-checked.ts'
import type { Digest } from './hash.ts'
import type { Trace } from './trace.ts'

/**
 * Reads a trace from the text of its file; messages call the file `file`. Throws a `TraceFormatError` that names file, line and field for a damaged
 * file, and a `TraceVersionError` for one that a newer goldenrun wrote.
 */
export function decodeTrace(text: string, file: string, digest: Digest): Trace {
  return decodeChecked(text, file, digest, checked)
}
