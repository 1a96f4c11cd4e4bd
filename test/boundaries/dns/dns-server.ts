import dgram from 'node:dgram'
import { once } from 'node:events'

/** A name server on loopback. */
export interface DnsServer extends AsyncDisposable {
  /** As `setServers` takes it. */
  readonly address: string
  /** How often it was asked. */
  readonly queries: number
}

/** Answers, by the type of the question: A, MX, PTR. Source: RFC 1035, sections 3.3, 3.4 and 4.1. */
const records: Readonly<Record<number, Buffer>> = {
  // Four bytes of an address.
  1: Buffer.from([10, 1, 2, 3]),
  // A preference, and a name: "mx.internal".
  15: Buffer.from([0, 10, ...label('mx'), ...label('internal'), 0]),
  12: Buffer.from([...label('db'), ...label('internal'), 0]),
}

function label(text: string): number[] {
  return [text.length, ...Buffer.from(text)]
}

/** Starts a name server. It knows every name but those that begin with "missing". */
export async function listenDns(): Promise<DnsServer> {
  const socket = dgram.createSocket('udp4')
  let queries = 0
  socket.on('message', (query, { port, address }) => {
    queries += 1
    const end = query.indexOf(0, 12) + 5
    const question = query.subarray(12, end)
    const data = records[query.readUInt16BE(end - 4)]
    const isMissing = question.toString('latin1', 1).startsWith('missing') || data === undefined
    // An answer, recursion available; "no such name" is code 3.
    const header = Buffer.from([...query.subarray(0, 2), 0x81, isMissing ? 0x83 : 0x80, 0, 1, 0, isMissing ? 0 : 1, 0, 0, 0, 0])
    if (isMissing) return socket.send(Buffer.concat([header, question]), port, address)
    // The name of the question, its type, IN, a minute, the length of the data.
    const record = Buffer.from([0xc0, 12, ...query.subarray(end - 4, end - 2), 0, 1, 0, 0, 0, 60, 0, data.length])
    socket.send(Buffer.concat([header, question, record, data]), port, address)
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
