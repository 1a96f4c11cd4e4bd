/** Prints a string or a number differently; undefined prints it unchanged. */
export type PrintLeaf = (value: string | number) => string | undefined

/**
 * Prints a value: equal texts are equal values. Unlike JSON, it keeps Map, Set, BigInt, dates and undefined distinct from what JSON makes of them.
 * The order of an object's keys is ignored.
 */
export function print(value: unknown, leaf: PrintLeaf = () => undefined): string {
  const all = (values: Iterable<unknown>): string => [...values].map((one) => print(one, leaf)).join(',')
  if (typeof value === 'string') return leaf(value) ?? JSON.stringify(value)
  if (typeof value === 'number') return leaf(value) ?? (Object.is(value, -0) ? '-0' : String(value))
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Date) return `Date(${leaf(value.getTime()) ?? value.getTime()})`
  if (value instanceof Map) return `Map(${all([...value].map(([key, held]) => [key, held] as unknown))})`
  if (value instanceof Set) return `Set(${all(value)})`
  if (value instanceof Uint8Array) return `Bytes(${Buffer.from(value).toString('hex')})`
  if (value instanceof Error) return `Error(${value.name},${print(value.message, leaf)})`
  if (Array.isArray(value)) return `[${all(value)}]`
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, held]) => `${JSON.stringify(key)}:${print(held, leaf)}`).join(',')}}`
}
