import type { HeaderPairs } from '../../trace/http-facts.ts'
import { headerValue } from '../../http/headers.ts'
import type { DispatchHandler } from './undici-types.ts'

const [major = 0, minor = 0] = (process.versions['undici'] ?? '').split('.').map(Number)

/** Whether this Node's own fetch decodes zstd. Source: undici 7.11. */
export const decodesZstd: boolean = major > 7 || (major === 7 && minor >= 11)

/**
 * Returns whether the fetch that a handler belongs to decodes zstd. A handler with the newer upgrade method does. Source: undici 7.20.
 */
export function handlerDecodesZstd(handler: DispatchHandler): boolean {
  return handler.onRequestUpgrade !== undefined
}

/** Returns the `content-encoding` that a fetch decodes; undefined for unknown codings, whose bodies it returns encoded. */
export function fetchCoding(headers: HeaderPairs, withZstd: boolean): string | undefined {
  const coding = headerValue(headers, 'content-encoding')
  return coding !== undefined && !withZstd && /zstd/i.test(coding) ? undefined : coding
}
