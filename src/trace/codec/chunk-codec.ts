import { fromBase64 } from '../base64.ts'
import { bytesOfBody, textFromBytes } from '../body.ts'
import { TraceFormatError } from '../errors/trace-format-error.ts'
import { parseJson } from '../json.ts'
import type { ChunkRow } from '../rows.ts'
import type { ChunkForm } from '../trace-check.ts'
import type { EncodedChunk } from './encoded-rows.ts'

/** The chunks that are JSON, by their stream, with the form of the value; null for any value. */
const jsonChunks: ReadonlyMap<string, ChunkForm | null> = new Map<string, ChunkForm | null>([
  ['exit', 'exit'],
  ['close', 'close'],
  ['answer', 'answer'],
  ['metadata', 'metadata'],
  ['message', null],
])

/**
 * Reads a chunk.
 *
 * @param check Checks the value of a chunk that is JSON, in a field of the row.
 * @throws TraceFormatError for a chunk of a stream of JSON that is none.
 */
export function decodeChunk(
  row: EncodedChunk,
  decodeText: (text: NonNullable<EncodedChunk['text']>) => string,
  check: (form: ChunkForm, value: unknown, field: string) => void,
): ChunkRow {
  const chunk = readChunk(row, decodeText)
  const form = chunk.stream === undefined ? undefined : jsonChunks.get(chunk.stream)
  if (form === undefined || chunk.length !== undefined) return chunk
  const field = chunk.text === undefined ? 'bytes' : 'text'
  const value = parseJson(textFromBytes(bytesOfBody(chunk)) ?? '')
  if (value === undefined) {
    throw new TraceFormatError({ problem: `"${field}" of a chunk row of the stream "${chunk.stream}" has to be JSON`, field })
  }
  if (form !== null) check(form, value, field)
  return chunk
}

/** Reads a chunk, which has `text`, `bytes` or neither. */
function readChunk(row: EncodedChunk, decodeText: (text: NonNullable<EncodedChunk['text']>) => string): ChunkRow {
  const { text, bytes } = row
  if (text !== undefined) return { ...(row as Omit<EncodedChunk, 'bytes'>), text: decodeText(text) }
  if (bytes !== undefined) return { ...(row as Omit<EncodedChunk, 'text'>), bytes: fromBase64(bytes) }
  return row as Omit<EncodedChunk, 'text' | 'bytes'>
}
