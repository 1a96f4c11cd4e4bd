import { inSlices } from '../../node/in-slices.ts'
import { checked } from '../../trace/check-row.ts'
import { decoding } from '../../trace/decode-checked.ts'
import type { Trace } from '../../trace/trace.ts'
import { readingLimits } from '../../stores/reading-limits.ts'
import { digest } from './digest.ts'

/** Reads a trace like `decodeTrace`, but in slices, so that a long one does not block the event loop. */
export function readTraceText(text: string, file: string): Promise<Trace> {
  return inSlices(decoding(text, file, digest, checked, readingLimits()))
}
