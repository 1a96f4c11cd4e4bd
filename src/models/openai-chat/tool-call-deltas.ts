import { isRecord, numberOf, recordOf, textOf, type JsonRecord } from '../json-fields.ts'

/**
 * Adds a stream's piece of a tool call to the calls so far: its id and name come once, its arguments piece by piece.
 *
 * @note Which call a piece belongs to is its `index`. Mistral and Google send none with a call that comes whole, and gateways before Gemini
 * give each parallel call the index 0 (su-kaka/gcli2api#406): a piece with another id and a name is another call.
 */
export function addToolCallDelta(calls: JsonRecord[], delta: JsonRecord): void {
  const position = positionOf(calls, delta)
  const before = calls[position]
  if (before === undefined) {
    calls.push(delta)
    return
  }
  calls[position] = {
    ...before,
    id: textOf(before['id']) ?? delta['id'],
    ...mergedField('function', 'arguments', before, delta),
    ...mergedField('custom', 'input', before, delta),
  }
}

function positionOf(calls: readonly JsonRecord[], delta: JsonRecord): number {
  const index = numberOf(delta['index'])
  const id = textOf(delta['id'])
  const position = index === undefined ? calls.length - 1 : calls.findLastIndex((call) => call['index'] === index)
  const startsAnother = id !== undefined && nameOf(delta) !== undefined && id !== textOf(calls[position]?.['id'])
  return position === -1 || (startsAnother && textOf(calls[position]?.['id']) !== undefined) ? calls.length : position
}

function nameOf(call: JsonRecord): string | undefined {
  return textOf(recordOf(call['function'])['name']) ?? textOf(recordOf(call['custom'])['name'])
}

function mergedField(field: string, text: string, before: JsonRecord, delta: JsonRecord): JsonRecord {
  if (!isRecord(delta[field])) return {}
  const [old, added] = [recordOf(before[field]), recordOf(delta[field])]
  return {
    [field]: { ...old, name: textOf(added['name']) ?? old['name'], [text]: (textOf(old[text]) ?? '') + (textOf(added[text]) ?? '') },
  }
}
