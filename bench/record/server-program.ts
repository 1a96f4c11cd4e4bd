/**
 * A provider that answers at once. It has its own process, so that its work is in nobody's figures. Prints its port. The path sets the answer: `/json/…`,
 * `/sse/…` (200 events), `/100k/…` (100 kB), `/slow/…` (JSON after 200 ms).
 */
import { createServer, type ServerResponse } from 'node:http'

const completion = (content: string): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  })
const event = (index: number): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-5', choices: [{ index: 0, delta: { content: ` word${index}` }, finish_reason: null }] })}\n\n`
const small = completion('It left the warehouse this morning.')
const large = completion('word '.repeat(20_000))

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => answer(request.url ?? '', response))
})
// A busy machine may keep a connection waiting for longer than Node's five seconds.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : 0)
})

function answer(url: string, response: ServerResponse): void {
  if (url.startsWith('/sse')) return stream(response, 0)
  response.setHeader('content-type', 'application/json')
  if (url.startsWith('/slow')) setTimeout(() => response.end(small), 200)
  else response.end(url.startsWith('/100k') ? large : small)
}

function stream(response: ServerResponse, index: number): void {
  if (index === 0) response.setHeader('content-type', 'text/event-stream')
  if (index === 200) return void response.end('data: [DONE]\n\n')
  response.write(event(index))
  setImmediate(() => stream(response, index + 1))
}
