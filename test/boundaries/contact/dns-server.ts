import dgram from 'node:dgram'
import { once } from 'node:events'

/** A name server on loopback. */
export interface DnsServer extends AsyncDisposable {
  /** As `setServers` takes it. */
  readonly address: string
  /** How often it was asked. */
  readonly queries: number
}

/** Starts a name server that knows one answer: 10.1.2.3. Source: RFC 1035, section 4.1. */
export async function listenDns(): Promise<DnsServer> {
  const socket = dgram.createSocket('udp4')
  let queries = 0
  socket.on('message', (query, { port, address }) => {
    queries += 1
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    // An answer, recursion available; one question, one answer.
    const header = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])])
    // The name of the question, A, IN, a minute, four bytes.
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 1, 2, 3])
    socket.send(Buffer.concat([header, question, record]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    get queries() {
      return queries
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
