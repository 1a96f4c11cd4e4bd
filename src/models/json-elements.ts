import { parseJson } from './json-fields.ts'

/** The values of JSON lines: those before a line that is cut, or that is no JSON. None when the first is neither. */
export function readJsonLines(text: string): readonly unknown[] {
  const values: unknown[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const json = parseJson(line)
    if (!json.ok) break
    values.push(json.value)
  }
  return values
}

/** The whole elements of a JSON array of objects that was cut before its end: a stream of Google's without server-sent events. */
export function readJsonElements(text: string): readonly unknown[] {
  const values: unknown[] = []
  let [depth, start] = [0, 0]
  // Strings first, so that brackets within them are passed over.
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      depth += 1
      if (depth === 2) start = index
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (depth !== 1) continue
      const json = parseJson(text.slice(start, index + 1))
      if (!json.ok) break
      values.push(json.value)
    }
  }
  return values
}
