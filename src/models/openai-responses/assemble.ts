import { errorOf } from '../answer-body.ts'
import { numberOf, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'

/**
 * Puts the events of a stream together to the response that they tell of. The last event that carries a response holds all of it; of a
 * stream that was cut there are the items so far, finished or in pieces.
 *
 * @note The `error` of a stream that fails may come as an event of its own, or within `response.failed`.
 */
export function assembleResponse(events: readonly JsonRecord[]): JsonRecord {
  let response: JsonRecord = { output: [] }
  const items = new Map<number, PartialItem>()
  let error: unknown
  for (const event of events) {
    response = { ...response, ...recordOf(event['response']) }
    const thrown = errorOf(event)
    if (thrown !== undefined) error ??= thrown
    const index = numberOf(event['output_index'])
    if (index !== undefined) items.set(index, addToItem(items.get(index) ?? NO_ITEM, event))
  }
  const whole = recordsOf(response['output']).length > 0
  const gathered = [...items].toSorted(([left], [right]) => left - right).map(([, item]) => toItem(item))
  return { ...response, output: whole ? response['output'] : gathered, ...(error !== undefined && { error }) }
}

/** An output item while its events are being gathered. */
interface PartialItem {
  readonly item: JsonRecord
  readonly done: boolean
  readonly text: string
  readonly refusal: string
  readonly reasoning: string
  readonly argsText: string
}

const NO_ITEM: PartialItem = { item: {}, done: false, text: '', refusal: '', reasoning: '', argsText: '' }

/** The field that a kind of delta adds to. */
const DELTAS = new Map<unknown, 'text' | 'refusal' | 'reasoning' | 'argsText'>([
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'refusal'],
  ['response.reasoning_text.delta', 'reasoning'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.function_call_arguments.delta', 'argsText'],
  ['response.custom_tool_call_input.delta', 'argsText'],
])

function addToItem(partial: PartialItem, event: JsonRecord): PartialItem {
  if (event['type'] === 'response.output_item.added') return { ...partial, item: recordOf(event['item']) }
  if (event['type'] === 'response.output_item.done') return { ...partial, item: recordOf(event['item']), done: true }
  const field = DELTAS.get(event['type'])
  return field === undefined ? partial : { ...partial, [field]: partial[field] + (textOf(event['delta']) ?? '') }
}

function toItem({ item, done, text, refusal, reasoning, argsText }: PartialItem): JsonRecord {
  if (done) return item
  if (item['type'] === 'reasoning') return { ...item, content: [{ type: 'reasoning_text', text: reasoning }] }
  if (item['type'] === 'function_call') return { ...item, arguments: argsText }
  if (item['type'] === 'custom_tool_call') return { ...item, input: argsText }
  if (item['type'] !== 'message') return item
  const content = [
    { type: 'output_text', text },
    { type: 'refusal', refusal },
  ]
  return { ...item, content }
}
