import { parseJson } from '../json.ts'

/**
 * Returns how many bytes the references of lines to texts will take once they are built, without building them.
 *
 * @param lines All lines of a trace. @param from The index of the first line whose references count.
 */
export function measureReferences(lines: readonly string[], from: number): number {
  const sizes = new Map<string, number>()
  let taken = 0
  for (const [index, line] of lines.entries()) {
    const [, reference] = TEXT.exec(line) ?? []
    if (reference !== undefined) sizes.set(reference, sizeOf(line))
    if (index < from) continue
    for (const [, like, value] of line.matchAll(REFERENCES)) taken += sizes.get(like ?? value ?? '') ?? 0
  }
  return taken
}

const TEXT = /^\{"kind":"text","ref":"(t\d+)"/
const REFERENCES = /"like":"(t\d+)"|"\$":"(t\d+)"/g

/** A plain value that is no text is shared by all that refer to it, so it takes nothing. A piece of a stream is built anew from its text. */
function sizeOf(line: string): number {
  if (line.includes('"$":')) return line.length
  const row = parseJson(line) as { readonly value?: unknown } | undefined
  return typeof row?.value === 'string' ? row.value.length : 0
}
