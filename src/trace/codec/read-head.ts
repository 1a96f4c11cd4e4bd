import { TraceFormatError } from '../errors/trace-format-error.ts'
import type { Json } from '../json.ts'
import type { HeadRow } from '../rows.ts'
import type { EncodedHead } from './encoded-rows.ts'
import { decodeLikeHead } from './head-codec.ts'

/** How the headers of a head are read. */
interface HeadReading {
  /** Reads headers that a text row holds. */
  read(json: Json): unknown
  /** Checks them. */
  check(pairs: unknown): void
  /** Counts bytes that are taken in memory. */
  take(bytes: number): void
}

/** The bytes of a header's name and value in memory, without their texts. */
const PAIR = 48

/**
 * Reads a head.
 *
 * @param earlier The heads of earlier steps.
 * @throws TraceFormatError for one that refers to what is no head, or to a text without headers.
 */
export function readHead(row: EncodedHead, earlier: ReadonlyMap<number, HeadRow>, { read, check, take }: HeadReading): HeadRow {
  const { headers, ...rest } = row
  if ('like' in headers) {
    const { like } = headers
    const head = earlier.get(like)
    if (head !== undefined) {
      take(PAIR * head.headers.length)
      return { ...rest, ...decodeLikeHead(headers, head) }
    }
    throw new TraceFormatError({
      problem: `"headers" of a head row are like those of step ${like}, which has no earlier head row`,
      field: 'headers',
    })
  }
  if (!('$' in headers)) return { ...rest, headers }
  const pairs = read({ $: headers.$ })
  if (Array.isArray(pairs) && pairs.every(isHeaderPair)) {
    check(pairs)
    return { ...rest, headers: pairs }
  }
  throw new TraceFormatError({
    problem: `"headers" of a head row refers to ${headers.$}, which does not hold pairs of name and value`,
    field: 'headers',
  })
}

function isHeaderPair(pair: unknown): pair is readonly [string, string] {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string' && typeof pair[1] === 'string'
}
