// A stand-in for Bedrock over HTTP/2 without TLS: it says what it was told.
import { once } from 'node:events'
import { createServer } from 'node:http2'
import { EventStreamCodec } from '@smithy/core/event-streams'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => new Uint8Array(Buffer.from(text)),
)
const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }

export async function listenBedrock() {
  const sessions = new Set()
  const server = createServer()
    .on('session', (session) => sessions.add(session))
    .on('stream', async (stream, headers) => {
      let sent = ''
      for await (const piece of stream) sent += piece
      const [{ content }] = JSON.parse(sent).messages
      if (headers[':path'].endsWith('/converse-stream')) return answerInPieces(stream, content[0].text)
      stream.respond({ ':status': 200, 'content-type': 'application/json' })
      const message = { role: 'assistant', content: [{ text: `You said: ${content[0].text}` }] }
      stream.end(JSON.stringify({ output: { message }, stopReason: 'end_turn', usage }))
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    for (const session of sessions) session.destroy()
    server.close()
  }
  return { port: server.address().port, stop }
}

async function answerInPieces(stream, text) {
  stream.respond({ ':status': 200, 'content-type': 'application/vnd.amazon.eventstream' })
  say(stream, 'messageStart', { role: 'assistant' })
  for (const word of text.split(' ')) {
    await new Promise((resolve) => setTimeout(resolve, 3))
    say(stream, 'contentBlockDelta', { contentBlockIndex: 0, delta: { text: word } })
  }
  say(stream, 'messageStop', { stopReason: 'end_turn' })
  say(stream, 'metadata', { usage, metrics: { latencyMs: 5 } })
  stream.end()
}

function say(stream, type, event) {
  const value = (text) => ({ type: 'string', value: text })
  const headers = { ':message-type': value('event'), ':event-type': value(type), ':content-type': value('application/json') }
  stream.write(codec.encode({ headers, body: Buffer.from(JSON.stringify(event)) }))
}
