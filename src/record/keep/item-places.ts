/** Where the items of a list stand in the JSON text of an object that has it in a field. */
export interface ItemPlaces {
  readonly field: string
  /** Of the first item. */
  readonly start: number
  /** Behind each item, from the start on. */
  readonly ends: readonly number[]
  /** Of the bracket behind the last one, from the start on. */
  readonly length: number
}

/**
 * Finds the items of each list of objects among the fields of an object.
 *
 * @param json An object as `JSON.stringify` prints it.
 */
export function findItems(json: string): ItemPlaces[] {
  const places: ItemPlaces[] = []
  for (let at = 1; json.charCodeAt(at) === QUOTE;) {
    const colon = endOfText(json, at)
    const end = endOfValue(json, colon + 1)
    if (json.startsWith('[{', colon + 1)) {
      const start = colon + 2
      const items = json.slice(start, end - 1)
      places.push({ field: JSON.parse(json.slice(at, colon)) as string, start, ends: endsOfItems(items), length: items.length })
    }
    at = end + 1
  }
  return places
}

/** Behind each item, where items stand one after the other with a comma between each two. */
export function endsOfItems(items: string): number[] {
  const ends: number[] = []
  for (let at = 0; at < items.length;) {
    const end = endOfValue(items, at)
    ends.push(end)
    at = end + 1
  }
  return ends
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

function endOfValue(json: string, start: number): number {
  let depth = 0
  for (let at = start; at < json.length;) {
    const code = json.charCodeAt(at)
    if (depth === 0 && (code === COMMA || isClosing(code))) return at
    if (isOpening(code)) depth += 1
    else if (isClosing(code)) depth -= 1
    at = code === QUOTE ? endOfText(json, at) : at + 1
  }
  return json.length
}

/** Behind the quote that closes the text which begins at a place. */
function endOfText(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0
    while (json.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return json.length
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d
}
