import Anthropic from '@anthropic-ai/sdk'

export const keys = ['ANTHROPIC_API_KEY']

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-small',
  content: [],
  usage: { input_tokens: 5, output_tokens: 1 },
}

let tries = 0

export function answer({ body }) {
  tries += 1
  if (tries === 1) return { status: 400, headers: { 'x-should-retry': 'true', 'retry-after-ms': '30' }, body: { error: { type: 'busy' } } }
  if (body.includes('refund'))
    return { status: 529, headers: { 'x-should-retry': 'false', 'request-id': 'req_3' }, body: { error: { type: 'overloaded_error' } } }
  if (!body.includes('"stream":true'))
    return {
      headers: { 'request-id': 'req_1' },
      body: { ...message, content: [{ type: 'text', text: 'packed' }], stop_reason: 'end_turn' },
    }
  const pieces = [
    event({ type: 'message_start', message }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...['on ', 'its way'].map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    event({ type: 'content_block_stop', index: 0 }) +
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }) +
      event({ type: 'message_stop' }),
  ]
  return { type: 'text/event-stream', headers: { 'request-id': 'req_2' }, pieces }
}

/** Retries and gives up by `x-should-retry`, reads ids of requests from headers, and reads a stream. */
export async function agent({ base, change }) {
  const client = new Anthropic({ baseURL: base })
  const ask = (content, more) => ({ model: 'claude-small', max_tokens: 9, messages: [{ role: 'user', content }], ...more })
  const { data, request_id: first } = await client.messages.create(ask('Where is ord_1?')).withResponse()
  const stream = client.messages.stream(ask(change === 'another question' ? 'Cancel it' : `It is ${data.content[0].text}?`))
  const text = await stream.finalText()
  const again = await client.messages.create(ask(change === 'another amount' ? 'refund 900' : 'refund 9')).catch((error) => error)
  return [first, text, stream.request_id, again.status, again.requestID]
}
