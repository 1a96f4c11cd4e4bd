/** A part of a frame's payload. */
export interface PayloadPart {
  /** The decoded text. */
  readonly text: string
  /** Whether it is JSON or a part of JSON: a line of an event stream. */
  readonly isJson: boolean
  /** Returns the written form of the part with a different text. */
  readonly write: (redacted: string) => string
}

/** Bedrock's InvokeModel: the model's own event, in base64. A truncated event lacks the quotation mark at its end. */
const inBase64 = /(?<="bytes"\s*:\s*")[A-Za-z0-9+/]+={0,2}(?="|$)/g

/** Splits the payload of a frame: JSON and its base64 contents, or bytes. Everything is given as characters (latin1). */
export function splitPayload(payload: string): PayloadPart[] {
  if (payload === '') return []
  if (!isJson(payload)) return [partOf(payload, false)]
  const parts: PayloadPart[] = []
  let at = 0
  for (const { index, 0: base64 } of payload.matchAll(inBase64)) {
    parts.push(partOf(payload.slice(at, index), true), decodedPart(base64))
    at = index + base64.length
  }
  if (at < payload.length) parts.push(partOf(payload.slice(at), true))
  return parts
}

function partOf(written: string, json: boolean): PayloadPart {
  return { text: written, isJson: json, write: (redacted) => redacted }
}

function decodedPart(written: string): PayloadPart {
  const text = Buffer.from(written, 'base64').toString('latin1')
  return {
    text,
    isJson: isJson(text),
    write: (redacted) => (redacted === text ? written : Buffer.from(redacted, 'latin1').toString('base64')),
  }
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
