import type { Random } from '../../support/random.ts'

export const clients = [
  'fetch',
  'undici 6 fetch',
  'undici 7 fetch',
  'undici 8 fetch',
  'undici 6 request',
  'undici 7 request',
  'undici 8 request',
  'http',
  'axios',
] as const

/** One request, what its server does with it, and how its answer is read. */
export interface Behaviour {
  readonly client: (typeof clients)[number]
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** What is uploaded, and as what. */
  readonly upload: { readonly as: 'text' | 'bytes' | 'stream'; readonly size: number } | undefined
  readonly expectsContinue: boolean
  readonly version: '1.0' | '1.1'
  /** Answers of status 1xx that come first. */
  readonly hints: number
  readonly status: number
  /** How many redirects come first, and what a fetch makes of them. */
  readonly hops: number
  readonly redirect: 'follow' | 'manual' | 'error'
  /** The codings of the answer, in order, and the header's letters. */
  readonly codings: readonly string[]
  readonly isShouted: boolean
  readonly isDeflatedRaw: boolean
  readonly isBroken: boolean
  readonly framing: 'length' | 'chunked' | 'close'
  readonly size: number
  readonly pieces: number
  readonly hasTrailers: boolean
  /** How much of the body comes before the connection goes, and how it does. */
  readonly cut: { readonly at: number; readonly by: 'end' | 'reset' } | undefined
  readonly keepsAlive: boolean
  readonly abort: 'before' | 'head' | 'piece' | undefined
  readonly read: 'text' | 'json' | 'bytes' | 'pieces' | 'nothing'
}

/** A behaviour by chance. Most of it is usual: what is not comes in some, and seldom together. */
export function drawBehaviour(random: Random): Behaviour {
  const pick = <Item>(...items: readonly Item[]): Item => items[random.whole(0, items.length - 1)] as Item
  const seldom = <Item>(share: number, item: Item): Item | undefined => (random.next() < share ? item : undefined)
  const client = pick(...clients)
  const method = pick('GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'DELETE')
  const upload =
    method === 'POST' || method === 'PUT'
      ? { as: pick<'text' | 'bytes' | 'stream'>('text', 'text', 'bytes', 'stream'), size: pick(0, 1, 100, 5_000, 100_000) }
      : undefined
  const version = seldom(0.1, '1.0') ?? '1.1'
  const framing = version === '1.0' ? pick('length', 'close') : pick('length', 'length', 'chunked', 'chunked', 'close')
  return {
    client,
    method,
    upload,
    expectsContinue: upload !== undefined && seldom(0.1, true) === true,
    version,
    hints: seldom(0.05, random.whole(1, 3)) ?? 0,
    status: seldom(0.3, pick(201, 204, 205, 304, 400, 404, 429, 500, 503)) ?? 200,
    hops: seldom(0.15, random.whole(1, 3)) ?? 0,
    redirect: pick('follow', 'follow', 'follow', 'manual', 'error'),
    codings:
      seldom(0.6, [pick('gzip', 'br', 'deflate', 'zstd', 'x-gzip')]) ??
      seldom(0.15, [pick('gzip', 'deflate'), pick('br', 'gzip', 'unknown')]) ??
      [],
    isShouted: seldom(0.1, true) ?? false,
    isDeflatedRaw: seldom(0.3, true) ?? false,
    isBroken: seldom(0.06, true) ?? false,
    framing,
    size: pick(0, 1, 20, 300, 20_000, 300_000),
    pieces: pick(1, 1, 2, 5),
    hasTrailers: framing === 'chunked' && seldom(0.3, true) === true,
    cut: seldom(0.1, { at: random.next(), by: pick('end', 'reset') }),
    keepsAlive: pick(true, false),
    abort: seldom(0.08, pick('before', 'head', 'piece')),
    read: pick('text', 'text', 'json', 'bytes', 'pieces', seldom(0.4, 'nothing') ?? 'text'),
  }
}
