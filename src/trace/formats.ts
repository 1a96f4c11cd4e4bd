import { parsePath } from './path.ts'

/** Whether a text is a regular expression. */
export function isPattern(source: string): boolean {
  try {
    return RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

/** Whether a text is a path such as `customer.name`. */
export function isPath(source: string): boolean {
  return !('problem' in parsePath(source))
}
