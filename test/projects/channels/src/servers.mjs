// Real servers on loopback, each behind a gate: while it is shut, whoever connects is counted and sent away.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { listenBedrock } from './bedrock-server.mjs'
import { listenGrpc } from './grpc-servers.mjs'
import { listenRealtime, listenTalk } from './web-socket-servers.mjs'

const gates = []
const stops = []
let isShut = false
let reached = 0

/** Starts all servers, and puts the ports of their gates into the environment. */
export async function startServers() {
  const servers = { ...(await listenGrpc()), BEDROCK: await listenBedrock(), WS: await listenTalk(), REALTIME: await listenRealtime() }
  for (const [name, { port, stop }] of Object.entries(servers)) {
    stops.push(stop)
    process.env[`${name}_PORT`] = String(await startGate(port))
  }
}

/** From now on, nobody gets to a server; who is connected is cut off. */
export function shutGates(shut = true) {
  isShut = shut
  if (shut) for (const { sockets } of gates) for (const socket of sockets) socket.destroy()
}

/** How many connections were sent away. */
export const countReached = () => reached

export async function stopServers() {
  for (const { server, sockets } of gates) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  for (const stop of stops) await stop()
}

async function startGate(port) {
  const sockets = new Set()
  const server = createServer((socket) => {
    if (isShut) {
      reached += 1
      return void socket.destroy()
    }
    const behind = connect(port, '127.0.0.1')
    for (const each of [socket, behind]) {
      sockets.add(each)
      each.on('error', () => undefined).on('close', () => sockets.delete(each))
    }
    socket.pipe(behind).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  gates.push({ server, sockets })
  return server.address().port
}
