import { errorOf } from '../answer-body.ts'
import { numberOf, recordOf, textOf, type JsonRecord } from '../json-fields.ts'

/** Puts the events of a stream together to the answer that they tell of. */
export function assembleCohere(events: readonly JsonRecord[]): JsonRecord {
  const content = new Map<number, JsonRecord>()
  const calls = new Map<number, JsonRecord>()
  let plan = ''
  let end: JsonRecord = {}
  let error: unknown
  for (const event of events) {
    const delta = recordOf(event['delta'])
    const message = recordOf(delta['message'])
    const index = numberOf(event['index']) ?? 0
    error ??= errorOf(event) ?? errorOf(delta)
    plan += textOf(message['tool_plan']) ?? ''
    if (/^content-(?:start|delta)$/.test(String(event['type']))) content.set(index, addToBlock(content.get(index), message['content']))
    if (/^tool-call-(?:start|delta)$/.test(String(event['type']))) calls.set(index, addToCall(calls.get(index), message['tool_calls']))
    if (event['type'] === 'message-end') end = delta
  }
  const message = { content: inOrder(content), tool_calls: inOrder(calls), tool_plan: plan }
  return { message, finish_reason: end['finish_reason'], usage: end['usage'], ...(error !== undefined && { error }) }
}

function addToBlock(block: JsonRecord = {}, added: unknown): JsonRecord {
  const { text, thinking } = recordOf(added)
  return { text: joined(block['text'], text), thinking: joined(block['thinking'], thinking) }
}

function addToCall(call: JsonRecord = {}, added: unknown): JsonRecord {
  const [before, piece] = [recordOf(call['function']), recordOf(recordOf(added)['function'])]
  const name = textOf(before['name']) ?? piece['name']
  return { id: call['id'] ?? recordOf(added)['id'], function: { name, arguments: joined(before['arguments'], piece['arguments']) } }
}

function joined(before: unknown, added: unknown): string {
  return (textOf(before) ?? '') + (textOf(added) ?? '')
}

function inOrder(parts: ReadonlyMap<number, JsonRecord>): readonly JsonRecord[] {
  return [...parts].toSorted(([left], [right]) => left - right).map(([, part]) => part)
}
