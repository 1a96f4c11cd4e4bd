import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Exchange } from './exchange.ts'
import type { NormalRequest } from './normal-request.ts'
import type { Reply } from './reply.ts'
import type { Turn, TurnError } from './turn.ts'
import type { Wire } from './wire.ts'

/** One answer to send, with all that it depends on. */
export interface Sending {
  readonly turn: Turn
  readonly reply: Reply
  readonly request: NormalRequest
  readonly wire: Wire
  /** Notes the status and each piece sent. */
  readonly exchange: Exchange
  readonly response: ServerResponse
}

const CUT_AFTER_MS = 10

/** Sends a turn's answer as the script says: late, in pieces, as an error, or not to its end. Stops where the client goes away. */
export async function sendTurn({ turn, reply, request, wire, exchange, response }: Sending): Promise<void> {
  if (turn.delayMs !== undefined) await pause(turn.delayMs, response)
  if (turn.cut === 'before-head') {
    response.destroy()
    return
  }
  const status = turn.status ?? 200
  const failed = status >= 400
  const requestId = toRequestId(exchange)
  const streamed = request.stream && !failed
  const pieces = failed
    ? [JSON.stringify(wire.error(status, turn.error ?? {}, requestId))]
    : streamed
      ? wire.events(reply, request.json)
      : [JSON.stringify(wire.answer(reply, request.json))]
  exchange.status = status
  response.writeHead(status, {
    'content-type': streamed ? 'text/event-stream; charset=utf-8' : 'application/json',
    ...(!streamed && { 'content-length': Buffer.byteLength(pieces.join('')) }),
    [wire.requestIdHeader]: requestId,
    ...turn.headers,
  })
  const cut = turn.cut === 'mid-stream'
  await writePieces(cut ? firstHalf(pieces) : pieces, turn.chunkDelayMs ?? 0, exchange, response)
  if (!cut) {
    response.end()
    return
  }
  // A reader drops what it has not read when the connection breaks: it gets the time to read.
  await pause(CUT_AFTER_MS, response)
  response.destroy()
}

/** Sends an error that no script asked for. */
export function sendError(wire: Wire, status: number, error: TurnError, exchange: Exchange, response: ServerResponse): void {
  const body = Buffer.from(JSON.stringify(wire.error(status, error, toRequestId(exchange))))
  exchange.status = status
  exchange.sent.push(body)
  response.writeHead(status, { 'content-type': 'application/json', [wire.requestIdHeader]: toRequestId(exchange) }).end(body)
}

function toRequestId(exchange: Exchange): string {
  return `req_${exchange.ordinal}`
}

/** Half of the events, or of a single piece's characters. */
function firstHalf(pieces: readonly string[]): string[] {
  if (pieces.length > 1) return pieces.slice(0, Math.ceil(pieces.length / 2))
  return pieces.map((piece) => piece.slice(0, Math.ceil(piece.length / 2)))
}

/** A turn of the event loop stands between two pieces even without a delay, or they would leave as one. */
async function writePieces(pieces: readonly string[], delayMs: number, exchange: Exchange, response: ServerResponse): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(delayMs, response)
    if (response.destroyed) return
    const bytes = Buffer.from(piece)
    exchange.sent.push(bytes)
    response.write(bytes)
  }
}

/** Waits, but no longer than the client stays. */
async function pause(delayMs: number, response: ServerResponse): Promise<void> {
  if (delayMs === 0) return setImmediate()
  if (response.destroyed) return
  const gone = new AbortController()
  const onClose = (): void => gone.abort()
  response.once('close', onClose)
  await setTimeout(delayMs, undefined, { signal: gone.signal }).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error
  })
  response.off('close', onClose)
}
