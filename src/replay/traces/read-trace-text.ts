import { inSlices } from '../../node/in-slices.ts'
import { decoding } from '../../trace/decode-checked.ts'
import { recogniseRow } from '../../trace/recognise-row.ts'
import type { Trace } from '../../trace/trace.ts'
import { digest } from './digest.ts'

/**
 * Reads a trace as `decodeTrace` does, a slice at a time: a long one holds nobody up. Loads the schema of rows only where that has to say what is
 * wrong.
 */
export async function readTraceText(text: string, file: string): Promise<Trace> {
  try {
    return await inSlices(decoding(text, file, digest, recogniseRow))
  } catch {
    const { checkRow } = await import('../../trace/check-row.ts')
    return await inSlices(decoding(text, file, digest, checkRow))
  }
}
