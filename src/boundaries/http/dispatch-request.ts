import nodeStream from 'node:stream'
import { isUint8Array } from 'node:util/types'
import { type ParsedUrlQueryInput, stringify } from 'node:querystring'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { isFormBody } from '../../http/form-body.ts'
import { headerValue, toHeaderPairs } from '../../http/headers.ts'
import { remember } from '../../trace/remember.ts'
import type { PiecewiseBody } from './piecewise-body.ts'
import type { DispatchOptions } from './undici-types.ts'

const captured = Symbol('captured')

/** Marks a dispatch as captured: a pool may forward it later, in any context. */
export function asCaptured(options: DispatchOptions): DispatchOptions {
  return { ...options, [captured]: true } as DispatchOptions
}

/** Returns whether a dispatch has already been captured. */
export function isCaptured(options: DispatchOptions): boolean {
  return captured in options
}

/** Returns the URL of a dispatch, including the query. */
export function dispatchUrl(options: DispatchOptions): string {
  // A path may begin with two slashes, which would name a host in a relative URL.
  const address = options.path.startsWith('/')
    ? readUrl(`${readOrigin(String(options.origin))}${options.path}`)
    : new URL(options.path, options.origin).href
  if (options.query === undefined) return address
  const url = new URL(address)
  url.search = stringify(options.query as ParsedUrlQueryInput)
  return url.href
}

const readOrigin = remember((address: string): string => new URL(address).origin)
const readUrl = remember((address: string): string => new URL(address).href)

/** Returns the request headers of a dispatch. */
export function dispatchHeaders(options: DispatchOptions): HeaderPairs {
  return toHeaderPairs(options.headers as never)
}

/**
 * Returns whether a fetch dispatches, which decodes bodies. Others (`undici.request`) return them encoded. Source: Fetch Metadata, section
 * 2.2; every fetch sends this header, and a program cannot set it.
 */
export function isFetchDispatch(headers: HeaderPairs): boolean {
  return headerValue(headers, 'sec-fetch-mode') !== undefined
}

/**
 * Returns options whose body is bytes, if it is a stream that has already ended: all of it is in memory. Undici sends its length, which it cannot know
 * of a stream that is watched. Source: undici, lib/core/util.js, `bodyLength`.
 */
export function withWholeBody(options: DispatchOptions): DispatchOptions {
  const { body } = options
  if (!(body instanceof nodeStream.Readable) || body.destroyed || body.readableObjectMode || body.readableEncoding !== null) return options
  // As undici does: it may only then know that it has ended.
  body.read(0)
  const { _readableState: state } = body as { readonly _readableState?: { readonly ended?: boolean } }
  if (state?.ended !== true || body.readableLength === 0) return options
  const bytes: unknown = body.read()
  return isUint8Array(bytes) ? { ...options, body: bytes } : options
}

/** Returns whether a body is available: none, text, or bytes. */
export function isReadyBody(body: unknown): body is string | Uint8Array | null | undefined {
  return body === null || body === undefined || typeof body === 'string' || isUint8Array(body)
}

/** Returns whether a body is read piece by piece. A form can be iterated too, but by its fields. */
export function isIterableBody(body: unknown): body is PiecewiseBody {
  if (typeof body !== 'object' || body === null || isFormBody(body)) return false
  return Symbol.asyncIterator in body || Symbol.iterator in body
}
