import zlib from 'node:zlib'
import type { Client, Received, Sent } from './client.ts'
import { describeError } from './describe-error.ts'

const visible = ['content-type', 'content-length', 'location', 'link', 'etag', 'retry-after', 'x-request-id', 'x-total-count']

/** Sends, and tells the answer with its body whole. */
export async function see(client: Client, sent: Sent): Promise<unknown> {
  const received = await client.send(sent)
  return { ...head(received), text: await received.text() }
}

/** Of an answer's head what programs look at. */
export function head({ status, header, url, redirected }: Received): object {
  return { status, headers: visible.map((name) => header(name) ?? null), url, redirected }
}

/** The pieces that arrived, as text, and what ended them. */
export async function pieces(body: AsyncIterable<Uint8Array>, count: number = Infinity): Promise<{ pieces: string[]; error?: unknown }> {
  const seen: string[] = []
  try {
    for await (const piece of body) {
      seen.push(Buffer.from(piece).toString('latin1'))
      if (seen.length === count) break
    }
    return { pieces: seen }
  } catch (error) {
    return { pieces: seen, error: describeError(error) }
  }
}

/** What an action fails with. */
export async function failure(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return { unexpected: await action() }
  } catch (error) {
    return describeError(error)
  }
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
}

/** A body as its user means it. What a client hands out encoded is encoded anew in a replay: the same once it is decoded, not the same bytes. */
export async function plainText(client: Client, received: Received, coding: string): Promise<string> {
  // Not every client that decodes knows zstd, and what it does not know is no text.
  if (!client.lacks.includes('decode') && coding !== 'zstd') return received.text()
  const { pieces: came } = await pieces(received.body)
  const body = came.join('')
  const isEncoded = client.lacks.includes('decode') || body.startsWith('\x28\xb5\x2f\xfd')
  return isEncoded ? (decoders[coding]?.(Buffer.from(body, 'latin1')).toString('latin1') ?? body) : body
}

/** The pieces of a body as its user means them, but for those that are nothing but encoding. */
export async function plainPieces(client: Client, received: Received, coding: string): Promise<{ pieces: string[]; error?: unknown }> {
  const { pieces: came, ...rest } = await pieces(received.body)
  if (!client.lacks.includes('decode')) return { pieces: came, ...rest }
  const decodeTo = (end: number): string => decoders[coding]?.(Buffer.from(came.slice(0, end).join(''), 'latin1')).toString('latin1') ?? ''
  const plain = came.map((_, index) => decodeTo(index + 1).slice(index === 0 ? 0 : decodeTo(index).length))
  return { pieces: plain.filter((piece) => piece !== ''), ...rest }
}
