import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { receivedHeaders } from '../../http/received-headers.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { contextIn, runBelow } from '../../run/scope.ts'
import { contactByRequest } from '../contact/web-socket.ts'
import { emitIn, watchDestroy } from '../http/client-request-events.ts'
import { describeConnection } from './describe-connection.ts'
import { writtenHandshake } from './handshake.ts'
import { openConnection, type Opening } from './open-connection.ts'
import type { RecordedConnection } from './recorded-connection.ts'

/** Returns whether a request asks to upgrade to a WebSocket. */
export function asksForWebSocket(request: ClientRequest): boolean {
  const upgrade = request.getHeader('upgrade')
  return upgrade !== undefined && String(upgrade).toLowerCase() === 'websocket'
}

/** Handles a WebSocket of a client over `http.request` (the `ws` package). @param goOut Sends the request. */
export function requestWebSocket(request: ClientRequest, url: string, goOut: () => void): void {
  const key = String(request.getHeader('sec-websocket-key'))
  const described = describeConnection(url, request.getHeaders())
  const opening = openConnection(described, () => writtenHandshake(key, url.startsWith('https:')))
  if (opening.kind === 'contact') return contactByRequest(request, url, goOut)
  if (opening.kind === 'real') return record(request, opening, goOut)
  const { memory, scope, open } = opening
  open()
  if (scope === undefined) return request.onSocket(memory.socket)
  emitIn(request, contextIn(scope))
  runBelow(scope, {}, () => request.onSocket(memory.socket))
}

function record(request: ClientRequest, { connection, scope }: Extract<Opening, { kind: 'real' }>, goOut: () => void): void {
  let isGivenUp = false
  watchDestroy(request, () => (isGivenUp = callSite(captureTrail().stack) !== undefined))
  const watch = watchRequest(connection, () => isGivenUp)
  emitIn(request, scope, watch)
  if (scope === undefined) goOut()
  else runBelow(scope, {}, goOut)
}

/** @param isGivenUp Whether the agent itself has abandoned the connection. Nothing is then recorded, because there is nothing to wait for. */
function watchRequest(connection: RecordedConnection, isGivenUp: () => boolean): (event: string | symbol, args: unknown[]) => void {
  let isAnswered = false
  return (event, args) => {
    try {
      if (event === 'upgrade' || event === 'response') {
        isAnswered = true
        const { statusCode = 0, statusMessage = '', rawHeaders } = args[0] as IncomingMessage
        connection.answered({ status: statusCode, statusText: statusMessage, headers: receivedHeaders(rawHeaders) })
        if (event === 'response') followRefusal(args[0] as IncomingMessage, connection)
        // Bytes that the server sent with its answer arrive separately.
        else args[2] = connection.follow(args[1] as Socket).readHead(args[2] as Buffer)
      } else if (event === 'error' && !isAnswered && !isGivenUp()) connection.fails(args[0])
      else if (event === 'close' && !isAnswered && !isGivenUp()) connection.leaves()
    } catch {
      connection.loses()
    }
  }
}

/** Follows the answer that refuses the handshake, which the agent may read. */
function followRefusal(answer: IncomingMessage, connection: RecordedConnection): void {
  const { push } = answer
  answer.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (ArrayBuffer.isView(chunk)) connection.refuses(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    if (chunk === null) connection.closes()
    return push.call(answer, chunk, encoding)
  }
  emitIn(answer, undefined, (event) => {
    if (event === 'close') connection.closes()
  })
}
