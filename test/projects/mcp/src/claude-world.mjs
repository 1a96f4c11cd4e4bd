// A provider that has Claude call both tools of the agent, and end.
import { createServer } from 'node:http'

/** Starts it, and counts what it is asked. */
export async function startClaudeWorld() {
  const asked = []
  const server = createServer((request, response) => {
    let body = ''
    request
      .on('data', (piece) => (body += piece))
      .on('end', () => {
        asked.push(request.url)
        const { model, stream } = JSON.parse(body || '{}')
        const results = (body.match(/"tool_result"/g) ?? []).length
        const [id] = /ord_\d+/i.exec(body) ?? ['ord_1']
        const tool = ['mcp__shop__get_order', 'mcp__shop__refund_order'][results]
        const block = tool === undefined ? { type: 'text', text: '' } : { type: 'tool_use', id: `toolu_${results}`, name: tool, input: {} }
        const delta =
          tool === undefined
            ? { type: 'text_delta', text: 'It is refunded.' }
            : { type: 'input_json_delta', partial_json: JSON.stringify({ order_id: id }) }
        const message = {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 1 },
        }
        const events = [
          { type: 'message_start', message },
          { type: 'content_block_start', index: 0, content_block: block },
          { type: 'content_block_delta', index: 0, delta },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: tool === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
            usage: { output_tokens: 5 },
          },
          { type: 'message_stop' },
        ]
        if (stream !== true)
          return void response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ ...message, content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' }))
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
      })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { asked, url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((resolve) => server.close(resolve)) }
}
