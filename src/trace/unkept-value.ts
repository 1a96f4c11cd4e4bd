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

const UNWRITTEN = 'what was not written yet'

/** The input of a run or of a side effect that had started, and whose row was not written when the process died. */
export const unwritten: UnkeptValue = new UnkeptValue('$', UNWRITTEN)

/** Returns whether a value is unknown because the process died before it was written. */
export function isUnwritten(value: unknown): boolean {
  return value instanceof UnkeptValue && value.reason === UNWRITTEN
}

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
