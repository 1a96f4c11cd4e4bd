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
  /** The reason phrase, in latin-1. */
  readonly reason: string
  /** How the names of headers and trailers are written, and how far their lines are turned round. */
  readonly spelling: 'usual' | 'lower' | 'upper' | 'mixed'
  readonly turned: number
  /** How often a header is repeated. */
  readonly repeats: number
  /** The value of a header, and how its letters are encoded. */
  readonly note: { readonly text: string; readonly as: 'latin1' | 'utf8' } | undefined
  readonly cookies: readonly string[]
  /** The connections of `http.request`: those of the process, a pool of its own, or none that is kept. With a pool, how many requests are made one after the other. */
  readonly pool: 'global' | 'own' | 'none'
  readonly uses: number
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
  readonly trailers: number
  /** How much of the body comes before the connection goes, and how it does. */
  readonly cut: { readonly at: number; readonly by: 'end' | 'reset' } | undefined
  readonly keepsAlive: boolean
  readonly abort: 'before' | 'head' | 'piece' | undefined
  readonly read: 'text' | 'json' | 'bytes' | 'pieces' | 'nothing'
}

/** Values of headers as servers send them. */
const notes: readonly Behaviour['note'][] = [
  { text: '', as: 'latin1' },
  { text: 'caf\u00E9, a "b"; c=d', as: 'latin1' },
  { text: '\u65E5\u672C \u{1F600}', as: 'utf8' },
  { text: 'w/'.repeat(2000), as: 'latin1' },
]

/** Cookies as servers set them. Values have six characters or more: a shorter one has a longer stand-in (docs/limits.md). */
const cookies: readonly string[] = [
  'sid=4f9a2c77e1b04f9a; Path=/; HttpOnly; SameSite=Lax',
  'cart=s%3AaB3-xYz_99.0; Path=/0; Max-Age=3600',
  'theme=darkmode; Expires=Wed, 25 Nov 2026 07:28:00 GMT; Secure',
  'lang=de-AT-1901',
  'gone=; Max-Age=0',
  'flag=1; path=/',
]

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
  const pool = pick<Behaviour['pool']>('global', 'own', 'none')
  return {
    client,
    method,
    upload,
    expectsContinue: upload !== undefined && seldom(0.1, true) === true,
    version,
    hints: seldom(0.05, random.whole(1, 3)) ?? 0,
    status: seldom(0.3, pick(201, 204, 205, 299, 304, 400, 404, 429, 451, 500, 503, 599)) ?? 200,
    reason: pick('OK', 'Some Words', '', 'Caf\u00E9 closed', 'so  it-is: {"ok"}'),
    spelling: pick('usual', 'usual', 'lower', 'upper', 'mixed'),
    turned: random.whole(0, 9),
    repeats: pick(0, 1, 2, 2, 4),
    note: seldom(0.5, pick<Behaviour['note']>(...notes)),
    cookies: seldom(0.5, random.shuffle(cookies).slice(0, random.whole(1, 3))) ?? [],
    pool,
    uses: pool === 'own' ? random.whole(1, 3) : 1,
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
    trailers: framing === 'chunked' ? (seldom(0.4, random.whole(1, 4)) ?? 0) : 0,
    cut: seldom(0.1, { at: random.next(), by: pick('end', 'reset') }),
    keepsAlive: pick(true, false),
    abort: seldom(0.08, pick('before', 'head', 'piece')),
    read: pick('text', 'text', 'json', 'bytes', 'pieces', seldom(0.4, 'nothing') ?? 'text'),
  }
}
