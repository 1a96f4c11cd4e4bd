import type { PathKey } from '../../trace/json.ts'

/** Keys that lead to a value; null is any. */
export type PathKeys = readonly (PathKey | null)[]

const part = /(?:^|\.)(?<name>[A-Za-z_][\w$]*)|\[(?:(?<any>\*)|(?<index>\d+)|(?<quoted>"(?:[^"\\]|\\.)*"))\]/y

/** Reads a path as reports write it: `items[*].note`, `headers["x-tenant"]`; `[*]` is every field or item. Undefined where it is none. */
export function parsePath(path: string): PathKeys | undefined {
  const keys: (PathKey | null)[] = []
  for (let at = 0; at < path.length; at = part.lastIndex) {
    part.lastIndex = at
    const groups = part.exec(path)?.groups
    if (groups === undefined) return undefined
    const { name, any, index, quoted } = groups
    if (name !== undefined) keys.push(name)
    else if (any !== undefined) keys.push(null)
    else keys.push(index === undefined ? (JSON.parse(quoted ?? '""') as string) : Number(index))
  }
  return keys.length === 0 ? undefined : keys
}

/** Whether the last of the keys that lead to a value are those of a path. */
export function endsWithPath(keys: readonly PathKey[], path: PathKeys): boolean {
  const start = keys.length - path.length
  return start >= 0 && path.every((expected, index) => expected === null || expected === keys[start + index])
}
