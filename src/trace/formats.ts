import { parsePath } from './path.ts'
import { orElse } from './or-else.ts'

/** Returns whether a text is a regular expression. */
export function isPattern(source: string): boolean {
  return orElse(() => RegExp(source) instanceof RegExp, false)
}

/** Returns whether a text is a path such as `customer.name`. */
export function isPath(source: string): boolean {
  return !('problem' in parsePath(source))
}

/** Returns whether a text is base64. @note The schema's own pattern needs a stack as long as the text. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text)
}
