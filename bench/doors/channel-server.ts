/** A gRPC server and a WebSocket server that only answer. Prints their ports as JSON. */
import { once } from 'node:events'
import { WebSocketServer } from 'ws'
import { listenShop } from '../../test/boundaries/http2/shop-server.ts'

const shop = await listenShop()
const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })))
await once(sockets, 'listening')
const { port } = sockets.address() as { readonly port: number }
process.stdout.write(JSON.stringify({ grpc: shop.host, ws: `ws://127.0.0.1:${port}` }))
