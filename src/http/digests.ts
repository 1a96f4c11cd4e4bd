import type { DigestAlgorithm, DigestForm, DigestMark } from '../trace/digest-mark.ts'
import type { HeaderPairs } from '../trace/http-facts.ts'
import { builtins } from '../node/builtins.ts'
import { Crc } from './crc.ts'

/** Headers without the digests in their values. */
export interface CutHeaders {
  readonly headers: HeaderPairs
  readonly marks: readonly DigestMark[]
  /** The digests that were cut out, by mark. */
  readonly digests: readonly string[]
}

/** Names of headers whose values look like digests, but are ids, credentials or addresses. */
const noDigest = /id$|^set-cookie|authenticat|authoriz|location|nonce|token|trace|^link$/i

/**
 * The shapes of digests of 16, 20, 32 and 64 bytes. `etag` of Express ends with the SHA-1 without its padding. A number after a digest counts the
 * parts of which each has its own digest.
 */
const shapes =
  /(?<![A-Za-z0-9+/])(?:(?<hex>[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})|(?<base64>[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{27}=|[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==)|(?<=^(?:W\/)?"[0-9a-f]{1,12}-)(?<unpadded>[A-Za-z0-9+/]{27})(?="$))(?![A-Za-z0-9+/=]|-\d)/g

/** By the length of the digest as hex. */
const algorithms: Readonly<Record<number, DigestAlgorithm>> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' }

/** Checksums are too short to be known by their shape: the header's name, or the name before the value, says what they are. */
const checksums = /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{11}=)(?![A-Za-z0-9+/=]|-\d)/g
const checksumName = /(?<![a-z0-9])(?<algorithm>crc32c?|crc64nvme)$/i

/** Cuts everything out of the values of headers that may be a digest of the answer's body. */
export function cutDigests(headers: HeaderPairs): CutHeaders {
  if (!headers.some(([name, value]) => mayHoldDigest(name, value))) return { headers, marks: [], digests: [] }
  const marks: DigestMark[] = []
  const digests: string[] = []
  const cut = headers.map(([name, value], header): HeaderPairs[number] => {
    const found = mayHoldDigest(name, value) ? findDigests(name, value) : []
    let rest = ''
    let end = 0
    for (const { start, digest, algorithm, form } of found) {
      rest += value.slice(end, start)
      marks.push([header, rest.length, algorithm, form])
      digests.push(digest)
      end = start + digest.length
    }
    return end === 0 ? [name, value] : [name, rest + value.slice(end)]
  })
  return marks.length === 0 ? { headers, marks, digests } : { headers: cut, marks, digests }
}

/** Few values have as many of these characters in a row, or the padding of base64. */
function mayHoldDigest(name: string, value: string): boolean {
  return (digestLike.test(value) && !noDigest.test(name)) || isDecimalChecksum(name, value)
}

const digestLike = /[A-Za-z0-9+/]{22}|[A-Za-z0-9+/]{6}=(?![A-Za-z0-9+/])/

/** DynamoDB writes `x-amz-crc32` as a number. */
function isDecimalChecksum(name: string, value: string): boolean {
  return decimal.test(value) && decimalName.test(name)
}

const decimal = /^\d{1,10}$/
const decimalName = /(?<![a-z0-9])crc32$/i

interface FoundDigest {
  readonly start: number
  readonly digest: string
  readonly algorithm: DigestAlgorithm
  readonly form: DigestForm
}

function findDigests(name: string, value: string): FoundDigest[] {
  if (isDecimalChecksum(name, value)) return [{ start: 0, digest: value, algorithm: 'crc32', form: 'decimal' }]
  const found: FoundDigest[] = []
  for (const { index: start, 0: digest, groups } of value.matchAll(shapes)) {
    const form = groups?.['hex'] !== undefined ? 'hex' : groups?.['base64'] !== undefined ? 'base64' : 'base64-unpadded'
    const size = form === 'hex' ? digest.length : Math.floor((digest.replaceAll('=', '').length * 3) / 4) * 2
    const algorithm = algorithms[size]
    if (algorithm !== undefined) found.push({ start, digest, algorithm, form })
  }
  for (const { index: start, 0: digest } of value.matchAll(checksums)) {
    const before = value.slice(0, start).replace(/=:?$/, '')
    const named = checksumName.exec(start === 0 ? name : before)?.groups?.['algorithm']?.toLowerCase()
    const isOfLength = (named === 'crc64nvme') === (digest.length === 12)
    if (named !== undefined && isOfLength) found.push({ start, digest, algorithm: named as DigestAlgorithm, form: 'base64' })
  }
  return found.toSorted((a, b) => a.start - b.start)
}

/** Computes digests of a body that comes in pieces. */
export class BodyDigests {
  readonly #hashes = new Map<DigestAlgorithm, { update(bytes: Uint8Array): unknown; digest(): Buffer }>()
  readonly #results = new Map<DigestAlgorithm, Buffer>()

  constructor(wanted: Iterable<DigestAlgorithm>) {
    for (const algorithm of new Set(wanted)) {
      this.#hashes.set(algorithm, algorithm.startsWith('crc') ? new Crc(algorithm) : builtins.crypto.createHash(algorithm))
    }
  }

  update(bytes: Uint8Array): void {
    for (const hash of this.#hashes.values()) hash.update(bytes)
  }

  /** Returns a digest of everything so far; nothing may follow. */
  print(algorithm: DigestAlgorithm, form: DigestForm): string {
    const bytes = this.#results.get(algorithm) ?? this.#hashes.get(algorithm)?.digest() ?? Buffer.alloc(0)
    this.#results.set(algorithm, bytes)
    if (form === 'hex') return bytes.toString('hex')
    if (form === 'decimal') return BigInt(`0x${bytes.toString('hex')}`).toString()
    const base64 = bytes.toString('base64')
    return form === 'base64' ? base64 : base64.replaceAll('=', '')
  }
}

/** Returns a digest of a whole body. */
export function digestOf(body: Uint8Array, algorithm: DigestAlgorithm, form: DigestForm): string {
  const digests = new BodyDigests([algorithm])
  digests.update(body)
  return digests.print(algorithm, form)
}
