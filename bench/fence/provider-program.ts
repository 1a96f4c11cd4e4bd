/**
 * The provider of recorded calls. It has a process of its own, so that its work is in nobody's figures. Prints its port. `/json/…` is answered with
 * JSON, and `/sse/…` with 200 events. Twenty events are sent at once: how the network joins what is sent apart differs from run to run, and with
 * it what a call takes.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const EVENTS = 200
const AT_ONCE = 20

const message = { role: 'assistant', content: 'It left the warehouse this morning.' }
const head = { id: 'chatcmpl-1', created: 1, model: 'gpt-5' }
const completion = JSON.stringify({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] })
const events = Array.from({ length: EVENTS }, (_, index) => {
  const choices = [{ index: 0, delta: { content: ` word${index}` }, finish_reason: null }]
  return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`
})

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => (request.url?.startsWith('/sse') === true ? stream(response, 0) : answer(response)))
})
// A busy machine may keep a connection waiting for longer than Node's five seconds.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

function answer(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json')
  response.end(completion)
}

function stream(response: ServerResponse, first: number): void {
  if (first === 0) response.setHeader('content-type', 'text/event-stream')
  if (first === EVENTS) return void response.end('data: [DONE]\n\n')
  // Each event is a chunk of its own in one write to the socket.
  response.socket?.cork()
  for (const event of events.slice(first, first + AT_ONCE)) response.write(event)
  response.socket?.uncork()
  setImmediate(() => stream(response, first + AT_ONCE))
}
