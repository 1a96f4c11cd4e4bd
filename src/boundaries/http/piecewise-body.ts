import type { Scope } from '../../run/scope.ts'
import { headerValue } from '../../http/headers.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { pieceOf, type WriteWatcher } from './body-pieces.ts'
import { SentBody } from './sent-body.ts'

/** A request body in pieces. */
export type PiecewiseBody = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/**
 * Passes a body on piece by piece, and reports each piece to a watcher first. A body of known length ends with its last piece, because the
 * server may answer before the source reports its end.
 *
 * @param length The length in bytes. Default: unknown.
 */
export async function* watchPieces(
  body: PiecewiseBody,
  watcher: WriteWatcher,
  length: number = Infinity,
): AsyncGenerator<Uint8Array | string> {
  let sent = 0
  let hasEnded = false
  const end = (): void => {
    if (!hasEnded) watcher.ended()
    hasEnded = true
  }
  for await (const chunk of body) {
    const piece = pieceOf(chunk)
    if (piece !== undefined && !hasEnded) watcher.wrote(piece)
    sent += piece?.length ?? 0
    if (sent >= length) end()
    yield chunk
  }
  end()
}

/** Returns the length of a body in bytes, as its request announces it; undefined if it does not. */
export function announcedLength(headers: HeaderPairs): number | undefined {
  const length = headerValue(headers, 'content-length')
  return length === undefined ? undefined : Number(length)
}

/** A request's body in a replay, where nothing is sent. */
export interface ReadBody {
  /** The bytes that are sent before the answer. */
  readonly sent: Promise<Uint8Array>
  /** The answer begins: everything read from now on counts as sent after it. */
  cut(): void
  /** The exchange has ended: nothing more is read. */
  stop(): void
}

/** Reads a body as a transport would. A body that fails counts as sent up to the failure. */
export function readPieces(scope: Scope, url: string, headers: HeaderPairs, body: PiecewiseBody): ReadBody {
  const told = Promise.withResolvers<Uint8Array>()
  const sent = new SentBody(scope, { url, headers }, (bytes) => told.resolve(bytes ?? new Uint8Array()))
  const pieces = watchPieces(body, sent, announcedLength(headers))
  const cut = (): void => sent.tell()
  const read = async (): Promise<void> => {
    while ((await pieces.next()).done !== true);
  }
  void read().catch(cut)
  return {
    sent: told.promise,
    cut,
    stop: () => {
      cut()
      void pieces.return(undefined).catch(cut)
    },
  }
}
