import { FrameRedaction } from './frame-redaction.ts'
import { readPrelude } from './frame.ts'
import type { BodyRedaction, TextRedactor } from './growing-redaction.ts'
import { LineRedaction } from './line-redaction.ts'
import { PiecewiseRedaction } from './piecewise-redaction.ts'
import { PlainRedaction } from './plain-redaction.ts'
import { printableEdits } from './printable-bytes.ts'

const lines = /event-stream|ndjson|jsonl|json-seq/i
const binary = /^(?:image|audio|video|font)\/|octet-stream|zip|pdf|protobuf|wasm/i
const forms = /^multipart\/form-data/i
const frames = /amazon\.eventstream/i

/** Returns the redaction for the body of an answer with this content type, as it arrives. */
export function redactionOf(redactor: TextRedactor, contentType = ''): BodyRedaction {
  if (frames.test(contentType)) return redactionOfFrames(redactor)
  if (binary.test(contentType)) return redactionOfBytes(redactor)
  if (forms.test(contentType)) return redactionOfBytes(redactor, true)
  if (lines.test(contentType)) return redactionOfLines(redactor)
  return new PiecewiseRedaction((settle) => new PlainRedaction(redactor, settle, redactor.hasPaths && /json/i.test(contentType)))
}

/**
 * Redacts bytes that are an AWS event stream, or begin like one. Returns the same bytes if there is nothing to redact, and undefined if they are
 * something else.
 */
export function redactFrames(bytes: Uint8Array, redactor: TextRedactor): Uint8Array | undefined {
  if (bytes[0] !== 0) return undefined
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (readPrelude(text) === undefined) return undefined
  const redaction = redactionOfFrames(redactor)
  let redacted = text
  redaction.add(text, (whole) => (redacted = whole))
  redaction.end()
  return redacted === text ? bytes : new Uint8Array(Buffer.from(redacted, 'latin1'))
}

function redactionOfFrames(redactor: TextRedactor): BodyRedaction {
  return new FrameRedaction(redactor, redactionOfLines(redactor), redactionOfBytes(redactor))
}

function redactionOfLines(redactor: TextRedactor): BodyRedaction {
  return new PiecewiseRedaction((settle) => new LineRedaction(redactor, settle))
}

function redactionOfBytes(redactor: TextRedactor, isWhole = false): BodyRedaction {
  // Nothing in an image is taken for an address.
  const edits: TextRedactor['edits'] = (text) => printableEdits(text, (part) => redactor.edits(part))
  return new PiecewiseRedaction((settle) => new PlainRedaction({ ...redactor, edits }, settle, isWhole))
}
