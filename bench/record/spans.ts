import type { Exchange } from '../../examples/world/exchange.ts'

/** Writes model calls as spans of the GenAI conventions, with content: the whole conversation of each call, and the answer. One span per line. */
export function toSpans(exchanges: readonly Exchange[]): string {
  return exchanges.map(toSpan).join('\n')
}

interface Message {
  readonly role: string
  readonly content?: string | null
  readonly tool_calls?: unknown
  readonly tool_call_id?: string
}

function toSpan({ bytes, sent }: Exchange, step: number): string {
  const { messages, model } = JSON.parse(Buffer.from(bytes).toString()) as { messages: readonly Message[]; model: string }
  const attribute = (key: string, value: string): object => ({ key, value: { stringValue: value } })
  return JSON.stringify({
    traceId: '0'.repeat(32),
    spanId: String(step).padStart(16, '0'),
    name: `chat ${model}`,
    kind: 3,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.provider.name', 'openai'),
      attribute('gen_ai.request.model', model),
      attribute('gen_ai.input.messages', JSON.stringify(messages.map(toParts))),
      attribute(
        'gen_ai.output.messages',
        JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: contentOf(sent) }], finish_reason: 'stop' }]),
      ),
    ],
  })
}

/** A tool call and its result are parts, like a text. */
function toParts({ role, content, tool_calls: calls, tool_call_id: id }: Message): object {
  if (id !== undefined) return { role, parts: [{ type: 'tool_call_response', id, response: content }] }
  const asked = calls === undefined ? [] : [{ type: 'tool_call', calls }]
  return { role, parts: [...(typeof content === 'string' ? [{ type: 'text', content }] : []), ...asked] }
}

/** Returns the text of an answer, streamed or not. Tool calls, whose names differ between the two, are left out, which makes the spans smaller. */
function contentOf(sent: readonly Uint8Array[]): string {
  const text = sent.map((piece) => Buffer.from(piece).toString()).join('')
  return [...text.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, content]) => content).join('')
}
