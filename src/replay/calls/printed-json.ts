import { knownOrMade, remember } from '../../trace/remember.ts'

/** Bodies repeat the same few keys. */
const printKey = remember((key) => `${JSON.stringify(key)}:`)

const printed = new WeakMap<object, string>()

/** Prints JSON of a trace. Caches each object and list for all replays, because traces do not change. */
export function printJson(json: unknown): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  return knownOrMade(printed, json, () => JSON.stringify(json))
}

/** Bodies of at least this many characters are compared piece by piece. Shorter ones are faster to print once and compare whole. */
const long = 2048

/**
 * Whether a text equals printed recorded JSON. A long body is compared field by field, and a list item by item: the messages of a
 * conversation are the same objects in every call that resends them, so each is printed only once.
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

/** The end of the printed value that starts at `start`, or -1 if the text differs. */
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

/** @note `startsWith` compares character by character and takes at least five times as long. */
function endOfPiece(piece: string, text: string, start: number): number {
  const end = start + piece.length
  return text.slice(start, end) === piece ? end : -1
}
