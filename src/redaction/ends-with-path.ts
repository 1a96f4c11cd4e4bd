import type { PathKey } from '../trace/json.ts'
import { anyKey, type PathPattern } from '../trace/path.ts'

/** Whether the last of the keys that lead to a value are those of a path. */
export function endsWithPath(keys: readonly PathKey[], path: PathPattern): boolean {
  const start = keys.length - path.length
  return start >= 0 && path.every((expected, index) => expected === anyKey || expected === keys[start + index])
}
