import type { ReadsRow } from '../../trace/rows.ts'

/** The `Math.random()` draws of a row. */
export function unpackDoubles({ random }: ReadsRow): number[] {
  if (random === undefined) return []
  const view = new DataView(random.buffer, random.byteOffset, random.byteLength)
  return Array.from({ length: Math.floor(random.byteLength / 8) }, (_, index) => view.getFloat64(index * 8, true))
}
