import { errorOf } from '../answer-body.ts'
import { numberOf, recordOf, textOf, type JsonRecord } from '../json-fields.ts'

/** Puts the events of a stream, each under its type, together to the answer that they tell of. Text of a tool's input is kept as it came. */
export function assembleConversed(events: readonly JsonRecord[]): JsonRecord {
  const blocks = new Map<number, JsonRecord>()
  let rest: JsonRecord = {}
  let error: unknown
  for (const event of events) {
    error ??= errorOf(event)
    const { contentBlockIndex, start, delta } = recordOf(event['contentBlockStart'] ?? event['contentBlockDelta'])
    const index = numberOf(contentBlockIndex)
    if (index !== undefined) blocks.set(index, addToBlock(recordOf(blocks.get(index)), recordOf(start ?? delta)))
    rest = { ...rest, ...pick(event['messageStop'], 'stopReason'), ...pick(event['metadata'], 'usage') }
  }
  const content = [...blocks].toSorted(([left], [right]) => left - right).map(([, block]) => block)
  return { output: { message: { content } }, ...rest, ...(error !== undefined && { error }) }
}

function addToBlock(block: JsonRecord, added: JsonRecord): JsonRecord {
  const text = textOf(added['text'])
  if (text !== undefined) return { ...block, text: joined(block['text'], text) }
  if (added['toolUse'] !== undefined) {
    const [before, { input, ...named }] = [recordOf(block['toolUse']), recordOf(added['toolUse'])]
    return { ...block, toolUse: { ...before, ...named, inputText: joined(before['inputText'], input) } }
  }
  const thought = textOf(recordOf(added['reasoningContent'])['text'])
  if (thought === undefined) return block
  const before = recordOf(recordOf(block['reasoningContent'])['reasoningText'])
  return { ...block, reasoningContent: { reasoningText: { text: joined(before['text'], thought) } } }
}

function joined(before: unknown, added: unknown): string {
  return (textOf(before) ?? '') + (textOf(added) ?? '')
}

function pick(record: unknown, name: string): JsonRecord {
  const value = recordOf(record)[name]
  return value === undefined ? {} : { [name]: value }
}
