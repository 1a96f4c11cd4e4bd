import { decodeChecked } from './decode-checked.ts'
import type { Digest } from './hash.ts'
import { recogniseRow } from './recognise-row.ts'
import type { Trace } from './trace.ts'

/** Reads a trace as `decodeTrace` does, and loads the schema of rows only where that has to say what is wrong. */
export async function readTraceText(text: string, file: string, digest: Digest): Promise<Trace> {
  try {
    return decodeChecked(text, file, digest, recogniseRow)
  } catch {
    const { decodeTrace } = await import('./read.ts')
    return decodeTrace(text, file, digest)
  }
}
