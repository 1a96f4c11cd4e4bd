import type { Scope } from '../../run/scope.ts'
import { headerValue } from '../../http/headers.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { pieceOf, type WriteWatcher } from './body-pieces.ts'
import { SentBody } from './sent-body.ts'

/** A request body in pieces. */
export type PiecewiseBody = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/**
 * Passes a body on piece by piece, and shows each to a watcher first. It has ended with its last piece where its length is known: the server may answer
 * before its source says that nothing follows.
 *
 * @param length In bytes. Default: unknown.
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

/** How many bytes a request says that its body has; undefined if it does not. */
export function announcedLength(headers: HeaderPairs): number | undefined {
  const length = headerValue(headers, 'content-length')
  return length === undefined ? undefined : Number(length)
}

/** The body of a request in a replay, which nothing sends. */
export interface ReadBody {
  /** What is sent before the answer. */
  readonly sent: Promise<Uint8Array>
  /** The answer begins: what is read from now on was not sent before. */
  cut(): void
  /** The exchange is over: nothing more is read. */
  stop(): void
}

/** Reads a body as a transport would. A body that fails has been sent up to there. */
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
