import { isContainer } from './client-objects.ts'

/** Results are not nested deeper. */
const MAX_DEPTH = 12

/**
 * A value with `change` applied to everything in it that is neither an array nor a plain object. Unchanged parts are not copied; very deep
 * or circular parts are left unchanged.
 */
export function mapParts(value: unknown, change: (part: unknown) => unknown, depth: number = 0): unknown {
  const changed = change(value)
  if (changed !== value || depth > MAX_DEPTH || !isContainer(value)) return changed
  const entries = Object.entries(value)
  const parts = entries.map(([key, part]) => [key, mapParts(part, change, depth + 1)] as const)
  if (parts.every(([, part], index) => part === entries[index]?.[1])) return value
  return Array.isArray(value)
    ? Object.assign(
        [...(value as unknown[])],
        parts.map(([, part]) => part),
      )
    : Object.fromEntries(parts)
}
