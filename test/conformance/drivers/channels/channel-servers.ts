import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { listenBedrock as startBedrock } from '../../../boundaries/http2/bedrock-server.ts'
import { listenQdrant as startQdrant } from '../../../boundaries/http2/qdrant-server.ts'
import { listenShop as startShop } from '../../../boundaries/http2/shop-server.ts'
import { listenWeaviate as startWeaviate } from '../../../boundaries/http2/weaviate-server.ts'
import { echo, listen, textOf } from '../../../boundaries/websocket/listen.ts'
import type { Service } from '../../../support/services.ts'
import { certificate, privateKey } from '../../certificate.ts'

/** A server of gRPC with calls of each kind. */
export async function listenShop(): Promise<Service> {
  const server = await startShop()
  return { port: portOf(`http://${server.host}`), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** A stand-in for Bedrock over HTTP/2 without TLS. */
export async function listenBedrock(): Promise<Service> {
  const server = await startBedrock()
  return { port: portOf(server.endpoint), [Symbol.asyncDispose]: () => server.stop() }
}

/** A stand-in for Qdrant. */
export async function listenQdrant(): Promise<Service> {
  return await startQdrant()
}

/** A stand-in for Weaviate: gRPC and HTTP/1 on one port, as its cloud has them. */
export async function listenWeaviate(): Promise<Service> {
  const weaviate = await startWeaviate()
  const front = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (first) => {
      const behind = connect(first.toString('latin1', 0, 4) === 'PRI ' ? weaviate.port : weaviate.httpPort, '127.0.0.1')
      behind.on('error', () => socket.destroy())
      behind.write(first)
      socket.pipe(behind).pipe(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  return {
    port: (front.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      weaviate.stop()
      front.close()
    },
  }
}

/** Says each message back, compressed where the client can. Refuses paths that begin with `/refuse`. */
export async function listenTalk(): Promise<Service> {
  const server = await listen(echo, { perMessageDeflate: { threshold: 0 } })
  return { port: portOf(server.url), [Symbol.asyncDispose]: () => server.stop() }
}

/** A model of Gemini's Live API, as far as one turn goes. */
export async function listenLive(): Promise<Service> {
  const server = await listen(speakLive)
  return { port: portOf(server.url), [Symbol.asyncDispose]: () => server.stop() }
}

/** A model of OpenAI's Realtime API over TLS, as far as one turn goes. */
export async function listenRealtime(): Promise<Service> {
  const server = createTlsServer({ cert: certificate, key: privateKey })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined)
    speakRealtime(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
    },
  }
}

interface LiveMessage {
  readonly setup?: object
  readonly clientContent?: { readonly turns: readonly { readonly parts: readonly { readonly text: string }[] }[] }
  readonly toolResponse?: { readonly functionResponses: readonly { readonly response: { readonly status: string } }[] }
}

function speakLive(socket: WebSocket): void {
  const say = (message: object): void => socket.send(JSON.stringify(message))
  socket.on('message', (data) => {
    const { setup, clientContent, toolResponse } = JSON.parse(textOf(data)) as LiveMessage
    if (setup !== undefined) say({ setupComplete: {} })
    if (clientContent !== undefined) {
      const args = { order_id: clientContent.turns[0]?.parts[0]?.text }
      say({ toolCall: { functionCalls: [{ id: `call-${Math.random()}`, name: 'get_order', args }] } })
    }
    if (toolResponse !== undefined) {
      const text = `It was ${toolResponse.functionResponses[0]?.response.status ?? 'lost'}.`
      say({ serverContent: { modelTurn: { role: 'model', parts: [{ text }] } } })
      say({ serverContent: { turnComplete: true } })
    }
  })
}

interface RealtimeEvent {
  readonly type: string
  readonly item?: { readonly type: string; readonly output: string; readonly content: readonly { readonly text: string }[] }
}

function speakRealtime(socket: WebSocket): void {
  const say = (event: object): void => socket.send(JSON.stringify({ event_id: `event_${Math.random()}`, ...event }))
  say({ type: 'session.created', session: { id: `sess_${Math.random()}` } })
  let [asked, result] = ['', '']
  socket.on('message', (data) => {
    const { type, item } = JSON.parse(textOf(data)) as RealtimeEvent
    if (type === 'session.update') say({ type: 'session.updated', session: {} })
    if (item?.type === 'message') asked = item.content[0]?.text ?? ''
    if (item?.type === 'function_call_output') result = item.output
    if (type !== 'response.create') return
    const [itemId, callId] = [`item_${Math.random()}`, `call_${Math.random()}`]
    say({ type: 'response.output_audio.delta', item_id: itemId, delta: 'AAAA' })
    if (result === '')
      say({
        type: 'response.function_call_arguments.done',
        item_id: itemId,
        call_id: callId,
        arguments: JSON.stringify({ order_id: asked }),
      })
    else say({ type: 'response.output_text.done', item_id: itemId, text: `It was ${result}.` })
  })
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
