import { fieldsBut, type JsonRecord, recordOf, recordsOf, textOf } from '../json-fields.ts'
import { isInstruction } from '../request-part.ts'

/** Returns the items of a list, of any type; empty if the value is not a list. */
export function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}

/** Returns a copy of a record with one field set, in its place if it has one. `undefined` removes the field. */
export function withField(record: JsonRecord, name: string, value: unknown): JsonRecord {
  return value === undefined ? fieldsBut(record, [name]) : { ...record, [name]: value }
}

/**
 * Returns a copy of a conversation in which the first message that instructs the model says `text`, in its previous form, and the other such messages
 * are removed. An empty text removes the first one as well.
 */
export function replaceInstructions(list: readonly unknown[], text: string): readonly unknown[] {
  const first = list.findIndex(isInstruction)
  return list.flatMap((item, index) => {
    if (!isInstruction(item)) return [item]
    const message = recordOf(item)
    return index === first && text !== '' ? [{ ...message, content: inForm(message['content'], text) }] : []
  })
}

/** Returns a text in the form of an existing content: plain text, or one piece with the other fields of the last piece (`cache_control`). */
export function inForm(content: unknown, text: string): unknown {
  if (!Array.isArray(content)) return text
  return [{ ...(recordsOf(content).at(-1) ?? { type: 'text' }), text }]
}

/** Returns why one text cannot replace the pieces of a prompt; undefined if it can. */
export function pieceInTheWay(pieces: readonly JsonRecord[]): string | undefined {
  const other = pieces.find(({ text }) => typeof text !== 'string')
  if (other === undefined) return undefined
  return `it holds a piece that is not text (${textOf(other['type']) ?? Object.keys(other)[0] ?? 'an empty one'})`
}

/** Returns why one text cannot replace the messages of a conversation that instruct the model; undefined if it can. */
export function instructionInTheWay(list: unknown): string | undefined {
  return pieceInTheWay(
    recordsOf(list)
      .filter(isInstruction)
      .flatMap(({ content }) => recordsOf(content)),
  )
}

/** Sets fields of a record by their names. */
export function withFields(record: JsonRecord, fields: JsonRecord): JsonRecord {
  return Object.entries(fields).reduce((changed, [name, value]) => withField(changed, name, value), record)
}

/**
 * Sets fields of a body, or of the record in it that contains most sampling. An existing field is set in its place. A new one is set in the record,
 * unless it belongs next to the record.
 *
 * @param nested The record's field.
 * @param beside The fields that belong next to the record.
 * @param keyIn Returns a field's key in a record. Default: its name.
 */
export function withNestedFields(
  body: JsonRecord,
  fields: JsonRecord,
  nested: string,
  beside: readonly string[],
  keyIn: (record: JsonRecord, name: string) => string = (_, name) => name,
): JsonRecord {
  return Object.entries(fields).reduce((changed, [name, value]) => {
    const inner = recordOf(changed[nested])
    const [key, innerKey] = [keyIn(changed, name), keyIn(inner, name)]
    const isBeside = !Object.hasOwn(inner, innerKey) && (Object.hasOwn(changed, key) || beside.includes(name))
    if (isBeside) return withField(changed, key, value)
    if (value === undefined && !Object.hasOwn(inner, innerKey)) return changed
    return { ...changed, [nested]: withField(inner, innerKey, value) }
  }, body)
}
