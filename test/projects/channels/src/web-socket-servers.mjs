// A server that says everything back, one with Gemini's Live API, and one with OpenAI's Realtime API over TLS.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { WebSocketServer } from 'ws'
import { certificate, privateKey } from './certificate.mjs'

export async function listenTalk() {
  return await listen(createServer(), { perMessageDeflate: { threshold: 0 } }, (socket, { url }) => {
    if (url.startsWith('/talk')) socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    else speakLive(socket)
  })
}

export async function listenRealtime() {
  return await listen(createTlsServer({ cert: certificate, key: privateKey }), {}, speakRealtime)
}

function speakLive(socket) {
  const say = (message) => socket.send(JSON.stringify(message))
  socket.on('message', (data) => {
    const { setup, clientContent, toolResponse } = JSON.parse(data)
    if (setup) say({ setupComplete: {} })
    if (clientContent) {
      const args = { order_id: clientContent.turns[0].parts[0].text }
      say({ toolCall: { functionCalls: [{ id: `call-${Math.random()}`, name: 'get_order', args }] } })
    }
    if (toolResponse) {
      say({
        serverContent: { modelTurn: { role: 'model', parts: [{ text: `It was ${toolResponse.functionResponses[0].response.status}.` }] } },
      })
      say({ serverContent: { turnComplete: true } })
    }
  })
}

function speakRealtime(socket) {
  const say = (event) => socket.send(JSON.stringify({ event_id: `event_${Math.random()}`, ...event }))
  say({ type: 'session.created', session: { id: `sess_${Math.random()}` } })
  let asked = ''
  let result
  socket.on('message', (data) => {
    const { type, item } = JSON.parse(data)
    if (type === 'session.update') say({ type: 'session.updated', session: {} })
    if (item?.type === 'message') asked = item.content[0].text
    if (item?.type === 'function_call_output') result = JSON.parse(item.output)
    if (type !== 'response.create') return
    const [item_id, call_id] = [`item_${Math.random()}`, `call_${Math.random()}`]
    say({ type: 'response.output_audio.delta', item_id, delta: 'AAAA' })
    if (result === undefined)
      say({ type: 'response.function_call_arguments.done', item_id, call_id, arguments: JSON.stringify({ order_id: asked }) })
    else say({ type: 'response.output_text.done', item_id, text: `It was ${result.status}.` })
  })
}

async function listen(server, options, serve) {
  const sockets = new WebSocketServer({ server, ...options })
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined)
    serve(socket, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  }
  return { port: server.address().port, stop }
}
