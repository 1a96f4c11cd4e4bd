import { errorOf } from '../answer-body.ts'
import { numberOf, recordOf, textOf, type JsonRecord } from '../json-fields.ts'

/**
 * Puts the events of a stream together to the message that they tell of. The text of a tool's input is kept as it came in `input_json`.
 *
 * @note The usage of `message_delta` is a running total that replaces the one of `message_start`, field by field: it may be larger (a tool
 * of the provider's read more input) and it may lack fields.
 */
export function assembleMessage(events: readonly JsonRecord[]): JsonRecord {
  let message: JsonRecord = { content: [] }
  let usage: JsonRecord = {}
  let error: unknown
  const blocks = new Map<number, JsonRecord>()
  for (const event of events) {
    const index = numberOf(event['index']) ?? 0
    error ??= errorOf(event)
    if (event['type'] === 'message_start') message = { ...message, ...recordOf(event['message']) }
    if (event['type'] === 'message_delta') message = { ...message, ...recordOf(event['delta']) }
    if (event['type'] === 'content_block_start') blocks.set(index, recordOf(event['content_block']))
    if (event['type'] === 'content_block_delta') blocks.set(index, addToBlock(recordOf(blocks.get(index)), recordOf(event['delta'])))
    usage = { ...usage, ...withoutNull(event['type'] === 'message_start' ? message['usage'] : event['usage']) }
  }
  const content = [...blocks].toSorted(([left], [right]) => left - right).map(([, block]) => block)
  return { ...message, content, usage, ...(error !== undefined && { error }) }
}

/** The field of a block that a kind of delta adds to. Signatures and citations add to none that is read. */
const DELTAS = new Map<unknown, readonly [from: string, to: string]>([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['input_json_delta', ['partial_json', 'input_json']],
])

function addToBlock(block: JsonRecord, delta: JsonRecord): JsonRecord {
  const fields = DELTAS.get(delta['type'])
  if (fields === undefined) return block
  const [from, to] = fields
  return { ...block, [to]: (textOf(block[to]) ?? '') + (textOf(delta[from]) ?? '') }
}

function withoutNull(usage: unknown): JsonRecord {
  return Object.fromEntries(Object.entries(recordOf(usage)).filter(([, value]) => value !== null))
}
