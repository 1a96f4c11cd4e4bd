// The usual agents of a server: channels and clients are opened when the module loads, and used by every run.
import { once } from 'node:events'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI, Modality } from '@google/genai'
import { credentials } from '@grpc/grpc-js'
import { QdrantClient } from '@qdrant/js-client-grpc'
import { NodeHttp2Handler } from '@smithy/node-http-handler'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import weaviate from 'weaviate-client'
import { WebSocket as WsSocket } from 'ws'
import { certificate } from './certificate.mjs'
import { Orders } from './shop.mjs'

const ports = process.env
const port = (name) => ports[`${name}_PORT`] ?? '1'
const client = new Orders(`127.0.0.1:${port('GRPC')}`, credentials.createInsecure())
const secure = new Orders(`localhost:${port('TLS')}`, credentials.createSsl(Buffer.from(certificate)))
const bedrock = new BedrockRuntimeClient({
  endpoint: `http://127.0.0.1:${port('BEDROCK')}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  requestHandler: new NodeHttp2Handler(),
})
const qdrant = new QdrantClient({ host: '127.0.0.1', port: Number(port('QDRANT')), checkCompatibility: false })
const openai = new OpenAI({ apiKey: 'sk-local', baseURL: `https://localhost:${port('REALTIME')}/v1` })
const gemini = new GoogleGenAI({ apiKey: 'local', httpOptions: { baseUrl: `http://127.0.0.1:${port('WS')}` } })

export async function onGrpc(id) {
  const [one, two] = await Promise.all([get(client, id), get(client, `${id} slow`)])
  const late = await get(client, `${id} never`, { deadline: Date.now() + 150 }).catch(({ code }) => code)
  return [one, two, await watch(id), await sum(id), await talk(client, id), late, await cancelled(id)]
}

export async function onTls(id) {
  return [await get(secure, id), await talk(secure, id)]
}

export async function onBedrock(id) {
  const input = { modelId: 'some-model', messages: [{ role: 'user', content: [{ text: `Where is ${id}?` }] }] }
  const { output } = await bedrock.send(new ConverseCommand(input))
  const pieces = []
  const { stream } = await bedrock.send(new ConverseStreamCommand(input))
  for await (const event of stream) if (event.contentBlockDelta) pieces.push(event.contentBlockDelta.delta.text)
  return [output.message.content[0].text, pieces]
}

export async function onQdrant(id) {
  const points = qdrant.api('points')
  const found = await points.search({ collectionName: id, vector: [0.25, 0.5], limit: 2n })
  const missing = await points
    .search({ collectionName: 'missing', vector: [], limit: 1n })
    .catch(({ code, rawMessage }) => [code, rawMessage])
  return [found.result.map(({ score }) => score), missing]
}

export async function onWeaviate(id) {
  const opened = await weaviate.connectToCustom({
    httpHost: '127.0.0.1',
    httpPort: Number(port('WEAVIATE_HTTP')),
    grpcHost: '127.0.0.1',
    grpcPort: Number(port('WEAVIATE')),
  })
  const { objects } = await opened.collections.use(id).query.nearVector([0.25, 0.5], { limit: 2 })
  await opened.close()
  return objects.map(({ properties }) => properties.title)
}

export async function onWs(id) {
  const heard = []
  for (const perMessageDeflate of [false, true]) {
    const socket = new WsSocket(`ws://127.0.0.1:${port('WS')}/talk`, { perMessageDeflate })
    socket.on('message', (data, isBinary) => heard.push(isBinary ? [...data] : String(data)))
    await once(socket, 'open')
    socket.send(id)
    await once(socket, 'message')
    socket.send(Buffer.from([1, 2, 250]))
    await once(socket, 'message')
    socket.close(1000, 'done')
    heard.push(await once(socket, 'close').then(([code, reason]) => [code, String(reason)]))
  }
  return heard
}

export async function onWebSocket(id) {
  const socket = new WebSocket(`ws://127.0.0.1:${port('WS')}/talk`)
  const next = (type) => new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }))
  await next('open')
  socket.send(id)
  const { data } = await next('message')
  socket.close()
  const { code, wasClean } = await next('close')
  return [data, code, wasClean]
}

export async function onRealtime(id) {
  const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { ca: certificate } }, openai)
  const next = (type) => new Promise((resolve) => realtime.once(type, resolve))
  await next('session.created')
  realtime.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } })
  await next('session.updated')
  realtime.send({ type: 'input_audio_buffer.append', audio: Buffer.from([1, 2, 3, 250]).toString('base64') })
  realtime.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: id }] } })
  realtime.send({ type: 'response.create' })
  const { call_id: call, arguments: args } = await next('response.function_call_arguments.done')
  realtime.send({ type: 'conversation.item.create', item: { type: 'function_call_output', call_id: call, output: '{"status":"sent"}' } })
  realtime.send({ type: 'response.create' })
  const { text } = await next('response.output_text.done')
  realtime.close()
  return [args, text]
}

export async function onLive(id) {
  const heard = []
  let turnEnds
  const session = await gemini.live.connect({
    model: 'gemini-live',
    config: { responseModalities: [Modality.TEXT] },
    callbacks: {
      onmessage({ serverContent, toolCall }) {
        if (toolCall) {
          heard.push(toolCall.functionCalls[0].args)
          session.sendToolResponse({
            functionResponses: [{ id: toolCall.functionCalls[0].id, name: 'get_order', response: { status: 'sent' } }],
          })
        }
        if (serverContent?.modelTurn) heard.push(serverContent.modelTurn.parts[0].text)
        if (serverContent?.turnComplete) turnEnds()
      },
    },
  })
  const ended = new Promise((resolve) => (turnEnds = resolve))
  session.sendRealtimeInput({ audio: { data: Buffer.from([1, 2, 250]).toString('base64'), mimeType: 'audio/pcm;rate=16000' } })
  session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: id }] }] })
  await ended
  session.close()
  return heard
}

export async function close() {
  for (const each of [client, secure]) each.close()
  bedrock.destroy()
}

function get(orders, id, options = {}) {
  return new Promise((resolve, reject) => orders.Get({ id }, options, (error, order) => (error ? reject(error) : resolve(order))))
}

async function watch(id) {
  const counts = []
  for await (const { count } of client.Watch({ id, count: 3 })) counts.push(count)
  return counts
}

function sum(id) {
  return new Promise((resolve, reject) => {
    const stream = client.Sum((error, order) => (error ? reject(error) : resolve(order)))
    for (let count = 1; count <= 3; count += 1) stream.write({ id, count })
    stream.end()
  })
}

async function talk(orders, id) {
  const stream = orders.Talk()
  const heard = []
  for await (const { id: said } of stream) {
    if (heard.push(said) < 3) stream.write({ id: `${id} after ${said}` })
    else stream.end()
  }
  return heard
}

function cancelled(id) {
  return new Promise((resolve) => {
    const stream = client.Watch({ id, count: 1_000_000 })
    stream.on('data', ({ count }) => count === 2 && stream.cancel())
    stream.on('error', ({ code }) => resolve(code))
  })
}
