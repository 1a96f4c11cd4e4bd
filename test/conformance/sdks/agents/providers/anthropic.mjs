const message = (content, reason) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-small',
  content,
  stop_reason: reason,
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 3 },
})

export function answer({ body }) {
  const { messages, stream } = JSON.parse(body)
  if (messages.length === 1)
    return { body: message([{ type: 'tool_use', id: 'toolu_1', name: 'get_order', input: { id: 'ord_1' } }], 'tool_use') }
  if (stream !== true) return { body: message([{ type: 'text', text: 'It is packed.' }], 'end_turn') }
  const events = [
    { type: 'message_start', message: message([], null) },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It is packed.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]
  return { type: 'text/event-stream', body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('') }
}
