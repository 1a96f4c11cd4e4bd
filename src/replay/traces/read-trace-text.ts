import { inSlices } from '../../node/in-slices.ts'
import { decoding } from '../../trace/decode-checked.ts'
import { recogniseRow } from '../../trace/recognise-row.ts'
import type { Trace } from '../../trace/trace.ts'
import { digest } from './digest.ts'

/**
 * Reads a trace like `decodeTrace`, but in slices, so that a long one does not block the event loop. Loads the schema of rows only to
 * report an error.
 */
export async function readTraceText(text: string, file: string): Promise<Trace> {
  try {
    return await inSlices(decoding(text, file, digest, recogniseRow))
  } catch {
    const { checkRow } = await import('../../trace/check-row.ts')
    return await inSlices(decoding(text, file, digest, checkRow))
  }
}
