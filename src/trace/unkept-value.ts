/** Represents, in a revived value, a part that the recording could not keep. */
export class UnkeptValue {
  /** Its path: `$` is the whole value, `$.order.save` a field of it. */
  readonly path: string
  /** Why it was not kept: `a function`, `a stream`, … */
  readonly reason: string

  constructor(path: string, reason: string) {
    this.path = path
    this.reason = reason
  }
}

/** Why the input of a side effect that had started when its process died was not kept: it had not been written yet. */
export const UNWRITTEN = 'what was not written yet'

/** Returns the first part of a value that the recording could not keep, if any. */
export function findUnkept(value: unknown, seen: Set<object> = new Set()): UnkeptValue | undefined {
  if (value instanceof UnkeptValue) return value
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return undefined
  seen.add(value)
  const items = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value)
  for (const item of items) {
    const found = findUnkept(item, seen)
    if (found !== undefined) return found
  }
  return undefined
}
