import { PiecewiseRedaction } from './piecewise-redaction.ts'
import { printableEdits } from './printable-bytes.ts'
import type { Redactor } from './redactor.ts'

/** Redacts the body of an answer of a content type as it comes. */
export function redactionOf(redactor: Redactor, contentType = ''): PiecewiseRedaction {
  if (/event-stream|ndjson|jsonl|json-seq/i.test(contentType) && !/amazon/i.test(contentType)) return new PiecewiseRedaction(redactor, true)
  if (!/^(?:image|audio|video|font)\/|octet-stream|amazon\.eventstream|zip|pdf|protobuf|wasm/i.test(contentType))
    return new PiecewiseRedaction(redactor)
  // Of a picture nothing is taken for an address.
  const edits = (text: string): ReturnType<Redactor['edits']> => printableEdits(text, (part) => redactor.edits(part))
  return new PiecewiseRedaction({ hasOwnRules: redactor.hasOwnRules, edits })
}
