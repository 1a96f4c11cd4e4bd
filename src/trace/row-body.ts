import type { EncodedRow } from './codec/encoded-rows.ts'

/** What the schema cannot say of a row: which of its fields stand for one another. A sentence without its full stop, or undefined. */
export function findBodyProblem(row: EncodedRow): string | undefined {
  if (row.kind === 'chunk' && count(row.text) + count(row.bytes) + count(row.length) !== 1) {
    return 'a chunk row has to have exactly one of "text", "bytes" and "length"'
  }
  if (row.kind === 'end' && row.output !== undefined && row.error !== undefined) return 'an end row cannot have both "output" and "error"'
  return undefined
}

function count(part: unknown): number {
  return part === undefined ? 0 : 1
}
