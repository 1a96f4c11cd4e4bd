import { applyEdits, type Edit, mergeEdits, moveEdits } from './edits.ts'

/** A run of UTF-8 text that is long enough not to be chance: nothing in an image is taken for an address. */
const printable =
  /(?:[\t\n\r\u0020-\u007e]|[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}){8,}/g

/** Redacts the text and the known bytes within bytes; returns the same bytes if there is nothing to redact. */
export function redactPrintable(
  bytes: Uint8Array,
  edits: (text: string) => readonly Edit[],
  rawEdits: (bytes: string) => readonly Edit[],
): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const found = mergeEdits(rawEdits(text), printableEdits(text, edits))
  return found.length === 0 ? bytes : new Uint8Array(Buffer.from(applyEdits(text, found), 'latin1'))
}

/** Returns the edits of the text within bytes, which are given as characters (latin1). */
export function printableEdits(text: string, edits: (text: string) => readonly Edit[]): readonly Edit[] {
  return Array.from(text.matchAll(printable)).flatMap(({ index, 0: part }) => moveEdits(edits(part), index))
}
