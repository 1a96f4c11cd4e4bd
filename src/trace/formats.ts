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

/** Returns whether a text is an absolute URL. */
export function isUrl(text: string): boolean {
  return URL.canParse(text)
}

/** Returns whether a value is bytes, of any realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
}
