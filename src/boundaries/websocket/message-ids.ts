import { parsedJson } from './recorded-form.ts'
import type { Message } from './web-socket-message.ts'

/** The maximum depth at which ids are searched. */
const deepest = 4

/** Returns the ids in a JSON message, which match answers to requests. */
export function idsIn({ kind, payload }: Message): Set<unknown> {
  const ids = new Set<unknown>()
  if (kind === 'text') collect(parsedJson(payload.toString()), ids, 0)
  return ids
}

function collect(value: unknown, ids: Set<unknown>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > deepest) return
  for (const [key, field] of Object.entries(value)) {
    if (/(?:^|[_-])id$|[a-z]Id$/i.test(key) && (typeof field === 'string' || typeof field === 'number')) ids.add(field)
    else collect(field, ids, depth + 1)
  }
}
