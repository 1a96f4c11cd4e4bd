import { fromBase64, toBase64 } from '../base64.ts'
import { type Json, omitUndefined } from '../json.ts'
import type { ReadsRow } from '../rows.ts'
import { fromRecorded, toRecordedOutput } from '../values.ts'
import type { EncodedReads } from './encoded-rows.ts'

/** Encodes draws for a file: bytes as base64. */
export function encodeReads({ kind, owner, clock, monotonic, random, uuid, bytes, facts }: ReadsRow): EncodedReads {
  return {
    kind,
    owner,
    ...omitUndefined({
      clock,
      monotonic,
      random: random && toBase64(random),
      uuid,
      bytes: bytes?.map((draw) => toBase64(draw)),
      facts: facts?.map(({ name, value }) => ({ name, value: toRecordedOutput(value) })),
    }),
  }
}

/** The inverse of `encodeReads`. */
export function decodeReads(row: EncodedReads): ReadsRow {
  const { random, bytes, facts, ...plain } = row
  return {
    ...plain,
    ...omitUndefined({
      random: random === undefined ? undefined : fromBase64(random),
      bytes: bytes?.map(fromBase64),
      facts: facts?.map(({ name, value }) => ({ name, value: fromRecorded(value as Json) })),
    }),
  }
}

/** Returns the draws of `Math.random()` in a row. */
export function unpackDoubles({ random }: Pick<ReadsRow, 'random'>): number[] {
  if (random === undefined) return []
  const view = new DataView(random.buffer, random.byteOffset, random.byteLength)
  return Array.from({ length: Math.floor(random.byteLength / 8) }, (_, index) => view.getFloat64(index * 8, true))
}
