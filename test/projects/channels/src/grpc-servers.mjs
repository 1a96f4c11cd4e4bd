// Servers of gRPC: a shop, with and without TLS, and stand-ins for Qdrant and Weaviate by the definitions that their clients ship.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Server, ServerCredentials, status } from '@grpc/grpc-js'
import { SearchResponseSchema } from '@qdrant/js-client-grpc'
import { certificate, privateKey } from './certificate.mjs'
import { Orders } from './shop.mjs'

export async function listenGrpc() {
  const tls = ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(privateKey) }])
  const [weaviate, http] = await Promise.all([listenWeaviate(), listenMeta()])
  return {
    GRPC: await listen([[Orders.service, shop]]),
    TLS: await listen([[Orders.service, shop]], tls),
    QDRANT: await listenQdrant(),
    WEAVIATE: weaviate,
    WEAVIATE_HTTP: http,
  }
}

const shop = {
  Get({ request: { id } }, callback) {
    if (!id.endsWith('never')) setTimeout(() => callback(null, { id: id.toUpperCase(), count: 1 }), id.endsWith('slow') ? 30 : 0)
  },
  Watch(call) {
    const { id, count } = call.request
    let sent = 0
    const timer = setInterval(() => {
      sent += 1
      if (sent <= count) call.write({ id, count: sent })
      else call.end()
      if (sent > count) clearInterval(timer)
    }, 2)
    call.on('cancelled', () => clearInterval(timer))
  },
  Sum(call, callback) {
    let count = 0
    call.on('data', (order) => (count += order.count))
    call.on('end', () => callback(null, { id: 'sum', count }))
  },
  Talk(call) {
    call.write({ id: 'welcome' })
    call.on('data', ({ id }) => call.write({ id: id.toUpperCase() }))
    call.on('end', () => call.end())
  },
}

async function listenQdrant() {
  const { Points } = await loadOf('@qdrant/js-client-grpc', 'dist/esm/proto/points_service_pb.js')
  const service = Points.methods.map(({ name, input, output }) => [
    name,
    methodOf(
      `/${Points.typeName}/${name}`,
      (bytes) => fromBinary(input, bytes),
      (value) => Buffer.from(toBinary(output, create(output, value))),
    ),
  ])
  const search = ({ request: { collectionName, vector } }, callback) => {
    if (collectionName === 'missing') return callback({ code: status.NOT_FOUND, details: 'there is no collection “missing”' })
    callback(null, create(SearchResponseSchema, { result: vector.map((score) => ({ score, version: 1n })), time: 0.5 }))
  }
  return await listen([[Object.fromEntries(service), { Search: search }]])
}

async function listenWeaviate() {
  const { WeaviateDefinition } = await loadOf('weaviate-client', 'dist/node/esm/proto/v1/weaviate.js')
  const { HealthDefinition } = await loadOf('weaviate-client', 'dist/node/esm/proto/google/health/v1/health.js')
  const search = ({ request: { collection, limit } }, callback) => {
    const results = Array.from({ length: limit }, (_, index) => {
      const metadata = { id: `00000000-0000-4000-8000-00000000000${index}` }
      return { metadata, properties: { nonRefProps: { fields: { title: { textValue: `${collection} ${index}` } } } } }
    })
    callback(null, { took: 0.5, results })
  }
  return await listen([
    [niceService(WeaviateDefinition), { Search: search }],
    [niceService(HealthDefinition), { Check: (_call, callback) => callback(null, { status: 1 }) }],
  ])
}

/** The part of Weaviate that speaks HTTP. */
async function listenMeta() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"version":"1.34.0","grpcMaxMessageSize":104858000}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: server.address().port, stop: () => server.close() }
}

function niceService({ fullName, methods }) {
  const service = Object.values(methods).map(({ name, requestType, responseType, requestStream, responseStream }) => [
    name,
    {
      ...methodOf(
        `/${fullName}/${name}`,
        (bytes) => requestType.decode(bytes),
        (value) => Buffer.from(responseType.encode(responseType.fromPartial(value)).finish()),
      ),
      requestStream,
      responseStream,
    },
  ])
  return Object.fromEntries(service)
}

function methodOf(methodPath, requestDeserialize, responseSerialize) {
  const unused = () => Buffer.alloc(0)
  return {
    path: methodPath,
    requestStream: false,
    responseStream: false,
    requestSerialize: unused,
    requestDeserialize,
    responseSerialize,
    responseDeserialize: unused,
  }
}

/** A file of a package, also one that the package does not export. */
async function loadOf(name, file) {
  const entry = createRequire(import.meta.url).resolve(name)
  const root = entry.slice(0, entry.indexOf(path.normalize(name)) + name.length)
  return await import(pathToFileURL(path.join(root, file)))
}

async function listen(services, credentials = ServerCredentials.createInsecure()) {
  const server = new Server()
  for (const [service, handlers] of services) server.addService(service, handlers)
  const port = await new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound)))
  })
  return { port, stop: () => server.forceShutdown() }
}
