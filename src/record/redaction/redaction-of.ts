import type { TextRedactor } from './growing-redaction.ts'
import { LineRedaction } from './line-redaction.ts'
import { PiecewiseRedaction } from './piecewise-redaction.ts'
import { PlainRedaction } from './plain-redaction.ts'
import { printableEdits } from './printable-bytes.ts'

const lines = /event-stream|ndjson|jsonl|json-seq/i
const binary = /^(?:image|audio|video|font)\/|octet-stream|amazon\.eventstream|zip|pdf|protobuf|wasm/i

/** Redacts the body of an answer of a content type as it comes. */
export function redactionOf(redactor: TextRedactor, contentType = ''): PiecewiseRedaction {
  if (binary.test(contentType)) {
    // Of a picture nothing is taken for an address.
    const edits: TextRedactor['edits'] = (text) => printableEdits(text, (part) => redactor.edits(part))
    return new PiecewiseRedaction((settle) => new PlainRedaction({ ...redactor, edits }, settle))
  }
  if (lines.test(contentType)) return new PiecewiseRedaction((settle) => new LineRedaction(redactor, settle))
  return new PiecewiseRedaction((settle) => new PlainRedaction(redactor, settle, /json/i.test(contentType)))
}
