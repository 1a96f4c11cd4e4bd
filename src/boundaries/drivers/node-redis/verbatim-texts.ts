import { mapItems } from '../redis/redis-replies.ts'

/** The class that a client maps verbatim texts to. Source: @redis/client 6, lib/RESP/verbatim-string.ts. */
export type VerbatimClass = new (format: string, text: string) => { readonly format: string; toString(): string }

/** The forms in which the agent wants replies, by the number of their kind. */
export type TypeMapping = Readonly<Record<number, unknown>>

/** Source: @redis/client 6, lib/RESP/decoder.ts, RESP_TYPES. */
const verbatimKind = 61

const mark = 'verbatim:'

/** The class that verbatim texts are mapped to; undefined if they are strings or bytes. */
export function verbatimClassOf(mapping: TypeMapping | undefined): VerbatimClass | undefined {
  const mapped = mapping?.[verbatimKind]
  return typeof mapped === 'function' && mapped !== String && mapped !== Buffer ? (mapped as VerbatimClass) : undefined
}

/** A reply as a trace keeps it: a verbatim text with its format, `{ 'verbatim:mkd': '# title' }`. */
export function keepVerbatim(reply: unknown, Verbatim: VerbatimClass): unknown {
  return mapReply(reply, (item) => (item instanceof Verbatim ? { [mark + item.format]: item.toString() } : undefined))
}

/** The same reply with its verbatim texts: in the agent's class, or as plain strings if the agent no longer wants that. */
export function reviveVerbatim(kept: unknown, Verbatim: VerbatimClass | undefined): unknown {
  return mapReply(kept, (item) => {
    const [name = '', ...more] = Object.keys(item)
    if (!name.startsWith(mark) || more.length > 0) return undefined
    const text = String(Reflect.get(item, name))
    return Verbatim === undefined ? text : new Verbatim(name.slice(mark.length), text)
  })
}

/** Replaces objects inside a reply. Returns a reply without any unchanged. @param replace Returns undefined for an object to keep. */
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
