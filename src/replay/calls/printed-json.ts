import { remember } from '../../node/remember.ts'

/** Bodies have few keys, and always the same. */
const printKey = remember((key) => `${JSON.stringify(key)}:`)

const printed = new WeakMap<object, string>()

/** JSON of a trace as it is printed: each object and list once for all replays, since traces do not change. */
export function printJson(json: unknown): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  let text = printed.get(json)
  if (text === undefined) printed.set(json, (text = JSON.stringify(json)))
  return text
}

/** From so many characters on a body is compared piece by piece. A shorter one takes longer so than to be printed once and compared whole. */
const long = 2048

/**
 * Whether a text is what printing recorded JSON gives. A long body is compared field by field, and a list item by item: the messages of a
 * conversation are the same objects in every call that resends them, so each is printed once, and no conversation is printed whole.
 */
export function isPrintOf(json: unknown, text: string): boolean {
  if (text.length < long) return printJson(json) === text
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return endOf(json, text, 0) === text.length
  const fields = json as Readonly<Record<string, unknown>>
  let end = 0
  for (const key of Object.keys(fields)) {
    end = endOfPiece(end === 0 ? '{' : ',', text, end)
    if (end !== -1) end = endOfPiece(printKey(key), text, end)
    if (end !== -1) end = endOf(fields[key], text, end)
    if (end === -1) return false
  }
  return end === 0 ? text === '{}' : end === text.length - 1 && text.endsWith('}')
}

/** Where the print of a value that starts at `start` ends, or -1 where something else stands there. */
function endOf(value: unknown, text: string, start: number): number {
  if (!Array.isArray(value) || value.length === 0) return endOfPiece(printJson(value), text, start)
  let end = start
  for (let index = 0; index < value.length; index += 1) {
    end = endOfPiece(index === 0 ? '[' : ',', text, end)
    if (end !== -1) end = endOfPiece(printJson(value[index]), text, end)
    if (end === -1) return -1
  }
  return endOfPiece(']', text, end)
}

/** @note `startsWith` looks at one character after the other, and takes five times as long and more. */
function endOfPiece(piece: string, text: string, start: number): number {
  const end = start + piece.length
  return text.slice(start, end) === piece ? end : -1
}
