import { EventStreamCodec } from '@smithy/core/event-streams'
import { once } from 'node:events'
import http2, { type ServerHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => new Uint8Array(Buffer.from(text)),
)
const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }

/** A stand-in for Bedrock that counts its requests. */
export interface Bedrock extends AsyncDisposable {
  readonly endpoint: string
  readonly requests: number
  stop(): Promise<void>
}

/** Says what it was told, over HTTP/2 without TLS. */
export async function listenBedrock(): Promise<Bedrock> {
  const server = http2.createServer()
  const sessions = new Set<{ destroy(): void }>()
  let requests = 0
  server.on('session', (session) => sessions.add(session))
  server.on('stream', (stream, headers) => {
    requests += 1
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as { messages: { content: { text: string }[] }[] }
      const text = messages[0]?.content[0]?.text ?? ''
      if (text === 'busy') {
        stream.respond({ ':status': 429, 'content-type': 'application/json', 'x-amzn-errortype': 'ThrottlingException' })
        return stream.end('{"message":"Too many requests"}')
      }
      if (headers[':path']?.endsWith('/converse-stream') === true) return void answerInPieces(stream, text)
      stream.respond({ ':status': 200, 'content-type': 'application/json' })
      stream.end(
        JSON.stringify({ output: { message: { role: 'assistant', content: [{ text: `said ${text}` }] } }, stopReason: 'end_turn', usage }),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    for (const session of sessions) session.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  return {
    endpoint: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    get requests() {
      return requests
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function answerInPieces(stream: ServerHttp2Stream, text: string): Promise<void> {
  stream.respond({ ':status': 200, 'content-type': 'application/vnd.amazon.eventstream' })
  say(stream, 'messageStart', { role: 'assistant' })
  for (const word of text.split(' ')) {
    await sleep(3)
    say(stream, 'contentBlockDelta', { contentBlockIndex: 0, delta: { text: word } })
  }
  say(stream, 'messageStop', { stopReason: 'end_turn' })
  say(stream, 'metadata', { usage, metrics: { latencyMs: 5 } })
  stream.end()
}

function say(stream: ServerHttp2Stream, type: string, event: object): void {
  const value = (text: string): { type: 'string'; value: string } => ({ type: 'string', value: text })
  const headers = { ':message-type': value('event'), ':event-type': value(type), ':content-type': value('application/json') }
  stream.write(codec.encode({ headers, body: Buffer.from(JSON.stringify(event)) }))
}
