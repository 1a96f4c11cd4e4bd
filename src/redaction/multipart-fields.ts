import { createFinder, type Edit, mergeEdits, moveEdits } from './edits.ts'

/** A field of a multipart form: its name, and the position of its value in the text. */
interface MultipartField {
  readonly name: string
  readonly start: number
  readonly end: number
}

const disposition = /^content-disposition:[ \t]*form-data(?<parameters>;[^\r\n]*)(?:\r?\n[^\r\n]+)*\r?\n\r?\n/gim
const nameParameter = /;\s*name=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^\s;"]+))/i

/** The maximum distance from the start of a field to its name. */
const longestHead = 4096

/** Finds the fields of a multipart form, except files. */
function findMultipartFields(text: string): MultipartField[] {
  const fields: MultipartField[] = []
  if (!/form-data;/i.test(text)) return fields
  const heads = Array.from(text.matchAll(disposition))
  for (const [place, { index, groups, 0: head }] of heads.entries()) {
    const parameters = groups?.['parameters'] ?? ''
    const { quoted, bare } = nameParameter.exec(parameters)?.groups ?? {}
    const name = quoted ?? bare
    if (name === undefined || /;\s*filename\*?=/i.test(parameters)) continue
    const start = index + head.length
    // The value may contain lines that begin like a boundary. The boundary is the line before the head.
    const floor = Math.max(0, index - longestHead)
    const line = floor + text.slice(floor, index).lastIndexOf('\n--') + 1
    const [boundary = '--'] = /^--[^\r\n]+/.exec(text.slice(line, index)) ?? []
    // A value ends before the head of the next field.
    const rest = text.slice(start, heads[place + 1]?.index)
    const next = rest.indexOf(`\n${boundary}`)
    const end = start + (next === -1 ? rest.length : next)
    fields.push({ name, start, end: text[end - 1] === '\r' && next !== -1 ? end - 1 : end })
  }
  return fields
}

/** Returns edits of a text with those of its form's fields: a field of a multipart form is checked as a field, and not as a part of the text. */
export function withFormFields(
  text: string,
  edits: readonly Edit[],
  editsOf: (value: string, name: string) => readonly Edit[],
): readonly Edit[] {
  const fields = findMultipartFields(text)
  if (fields.length === 0) return edits
  const ofFields = fields.flatMap(({ name, start, end }) => moveEdits(editsOf(text.slice(start, end), name), start))
  const touching = createFinder(fields)
  const outside = edits.filter((edit) => {
    const field = touching(edit)
    return field === undefined || edit.start < field.start || edit.end > field.end
  })
  return mergeEdits(outside, ofFields)
}
