import type { StoredObject } from './object-storage.ts'

/** A page of a listing. */
export interface Listing {
  readonly objects: readonly StoredObject[]
  /** The token for the next page; undefined on the last page. */
  readonly next: string | undefined
}

/** Reads the answer to ListObjectsV2; undefined if it is truncated or something else. @note Not every server honours the request to URL-encode keys. */
export function readListing(xml: string): Listing | undefined {
  if (!/<\/ListBucketResult>\s*$/.test(xml)) return undefined
  const decode = field(xml, 'EncodingType') === 'url' ? decodeKey : unescape
  const objects = blocks(xml, 'Contents').map((block) => ({ key: decode(field(block, 'Key')), size: Number(field(block, 'Size')) }))
  const isCut = field(xml, 'IsTruncated') === 'true'
  return { objects, next: isCut ? unescape(field(xml, 'NextContinuationToken')) : undefined }
}

/** Returns the code of an error, such as `AccessDenied`. The rest of the answer may hold credentials. */
export function readErrorCode(xml: string): string {
  return /^\w+$/.exec(field(xml, 'Code'))?.[0] ?? ''
}

function blocks(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs')), ([, content = '']) => content)
}

function field(xml: string, name: string): string {
  return new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? ''
}

function decodeKey(text: string): string {
  return decodeURIComponent(unescape(text).replaceAll('+', ' '))
}

function unescape(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return named[name ?? ''] ?? whole
  })
}
