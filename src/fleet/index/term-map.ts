import { builtins } from '../../node/builtins.ts'
import type { RunQuery, RunSummary } from '../../stores/run-summary.ts'
import { termsOf, termsOfQuery } from '../../stores/run-terms.ts'

/**
 * The map of an hour: the row groups of its index that may hold a trace id, a tag or another term that few runs have. Entries are sorted by the
 * hash of their term, so the range to read follows from the hash and the size of the object.
 *
 * | bytes of an entry | what |
 * | --- | --- |
 * | 4 | the hash of the term, big-endian |
 * | 2 | the number of the row group, big-endian |
 */
export const ENTRY = 6

/** Terms that many runs have: looking one up reads the index itself. */
const COMMON = /^(?:agent|status|version|model|tool)=|^error~|^(?:repeated|flagged)$/

/** Writes the map of an index. */
export function writeTermMap(groups: readonly (readonly RunSummary[])[]): Uint8Array {
  const entries = new Set<number>()
  for (const [group, runs] of groups.entries())
    for (const run of runs) for (const term of termsOf(run)) if (!COMMON.test(term)) entries.add(hashOf(term) * 0x1_00_00 + group)
  const sorted = Float64Array.from(entries).toSorted()
  const bytes = Buffer.alloc(sorted.length * ENTRY)
  for (const [index, entry] of sorted.entries()) bytes.writeUIntBE(entry, index * ENTRY, ENTRY)
  return bytes
}

/** Returns the hashes of the query's terms that maps contain; empty if there are none. */
export function mappedTerms(query: RunQuery): number[] {
  return termsOfQuery(query).flatMap((term) => (COMMON.test(term) ? [] : [hashOf(term)]))
}

/** Reads part of an object. */
export type ReadRange = (from: number, to: number) => Promise<Uint8Array>

/**
 * Finds the row groups that may hold runs with a term.
 *
 * @param size The size of the map, in bytes.
 */
export async function lookUpTerm(hash: number, size: number, read: ReadRange): Promise<number[]> {
  const count = size / ENTRY
  // Hashes are spread evenly: an entry is hardly ever more than four standard deviations from its expected place.
  const reach = Math.ceil(4 * Math.sqrt(count)) + 64
  const place = Math.floor((hash / 2 ** 32) * count)
  const [from, to] = [Math.max(0, place - reach), Math.min(count, place + reach)]
  const part = await readEntries(from, to, read)
  const isBracketed = (from === 0 || (part[0]?.hash ?? hash) < hash) && (to === count || (part.at(-1)?.hash ?? hash) > hash)
  const entries = isBracketed ? part : await readEntries(0, count, read)
  return entries.flatMap((entry) => (entry.hash === hash ? [entry.group] : []))
}

async function readEntries(from: number, to: number, read: ReadRange): Promise<{ readonly hash: number; readonly group: number }[]> {
  const bytes = Buffer.from(await read(from * ENTRY, to * ENTRY))
  return Array.from({ length: Math.floor(bytes.length / ENTRY) }, (_, index) => ({
    hash: bytes.readUInt32BE(index * ENTRY),
    group: bytes.readUInt16BE(index * ENTRY + 4),
  }))
}

function hashOf(term: string): number {
  return builtins.crypto.hash('sha256', term, 'buffer').readUInt32BE(0)
}
