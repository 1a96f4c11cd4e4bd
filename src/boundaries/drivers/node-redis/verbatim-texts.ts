import { mapItems } from '../redis/redis-replies.ts'

/** The class that a client maps verbatim texts to. Source: @redis/client 6, lib/RESP/verbatim-string.ts. */
export type VerbatimClass = new (format: string, text: string) => { readonly format: string; toString(): string }

/** The forms that the agent wants replies in, by the number of their kind. */
export type TypeMapping = Readonly<Record<number, unknown>>

/** Source: @redis/client 6, lib/RESP/decoder.ts, RESP_TYPES. */
const verbatimKind = 61

const mark = 'verbatim:'

/** The class that verbatim texts are mapped to; undefined where they are texts or bytes. */
export function verbatimClassOf(mapping: TypeMapping | undefined): VerbatimClass | undefined {
  const mapped = mapping?.[verbatimKind]
  return typeof mapped === 'function' && mapped !== String && mapped !== Buffer ? (mapped as VerbatimClass) : undefined
}

/** A reply as a trace keeps it: a verbatim text with its format, `{ 'verbatim:mkd': '# title' }`. */
export function keepVerbatim(reply: unknown, Verbatim: VerbatimClass): unknown {
  return mapReply(reply, (item) => (item instanceof Verbatim ? { [mark + item.format]: item.toString() } : undefined))
}

/** The same reply with its verbatim texts: of the agent's class, or as plain ones if it no longer wants that. */
export function reviveVerbatim(kept: unknown, Verbatim: VerbatimClass | undefined): unknown {
  return mapReply(kept, (item) => {
    const [name = '', ...more] = Object.keys(item)
    if (!name.startsWith(mark) || more.length > 0) return undefined
    const text = String(Reflect.get(item, name))
    return Verbatim === undefined ? text : new Verbatim(name.slice(mark.length), text)
  })
}

/** Replaces objects within a reply. A reply without any is returned as it is. @param replace Returns undefined for an object that stays. */
function mapReply(reply: unknown, replace: (item: object) => unknown): unknown {
  if (typeof reply !== 'object' || reply === null || reply instanceof Error || ArrayBuffer.isView(reply)) return reply
  const replaced = replace(reply)
  if (replaced !== undefined) return replaced
  let isChanged = false
  const toItem = (item: unknown): unknown => {
    const mapped = mapReply(item, replace)
    isChanged ||= mapped !== item
    return mapped
  }
  const copy = mapItems(reply, toItem)
  return isChanged ? copy : reply
}
