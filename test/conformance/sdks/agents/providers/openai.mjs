const completion = (message, reason) => ({
  id: 'chatcmpl_1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'gpt-5-mini',
  choices: [{ index: 0, finish_reason: reason, message: { role: 'assistant', refusal: null, ...message } }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
})

const toolCall = { id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '{"id":"ord_1"}' } }

export function answer({ url, body }) {
  if (url === '/v1/embeddings')
    return {
      body: { object: 'list', model: 'small', data: [{ object: 'embedding', index: 0, embedding: 'AACAPwAAAEA=' }], usage: {} },
    }
  if (url === '/v1/files') return { body: { id: 'file_1', object: 'file', filename: 'orders.txt' } }
  const { messages, stream } = JSON.parse(body)
  if (messages.length === 1) return { body: completion({ content: null, tool_calls: [toolCall] }, 'tool_calls') }
  if (stream !== true) return { body: completion({ content: 'It is packed.' }, 'stop') }
  const pieces = ['It is', ' packed.'].map((content) => ({
    id: 'chatcmpl_2',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content } }],
  }))
  return { type: 'text/event-stream', body: `${pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('')}data: [DONE]\n\n` }
}
