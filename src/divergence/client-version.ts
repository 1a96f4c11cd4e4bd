import type { FieldDifference } from './divergence.ts'

/**
 * Returns whether two clients are different versions of one product: `Anthropic/JS 0.137.0` and `Anthropic/JS 1.14.0`. The product is what comes
 * before the first digit.
 */
export function isOtherVersion(recorded: string | undefined, made: string | undefined): boolean {
  if (recorded === undefined || made === undefined || recorded === made) return false
  return productOf(recorded) === productOf(made)
}

function productOf(client: string): string {
  return client.split(/[\d(]/, 1).join('').toLowerCase()
}

/** Returns whether a difference is the version of an API that a client pins: `anthropic-version`, `/v1beta/` in a path, `api-version` in a query. */
export function isPinnedVersion({ part, path, expected, received }: FieldDifference): boolean {
  if (part === 'headers') return pinsApi(path) && [expected, received].every((value) => typeof value === 'string' && /\d/.test(value))
  if (part !== 'url') return false
  if (path !== 'url') return /^query(?:\.|\[").*version(?:"\])?$/i.test(path)
  return typeof expected === 'string' && typeof received === 'string' && differsByVersion(expected.split('/'), received.split('/'))
}

/** `x-account-version` is the version of something else. */
function pinsApi(path: string): boolean {
  return /^headers\["(?:(?!x-)[\w-]*version|[\w-]*api-version|x-ms-version)"\]$/.test(path)
}

/**
 * Returns whether a difference is a default of one of two versions of a client: it asks for JSON by itself, and the other for nothing in particular; or
 * it treats redirects in another way.
 */
export function isDefaultOfClient({ part, path, expected, received }: FieldDifference): boolean {
  if (part === 'redirect') return true
  if (part !== 'headers' || path !== 'headers.accept') return false
  return expected === undefined ? received === 'application/json' : received === undefined && expected === 'application/json'
}

/** Whether two paths differ in one segment, which is a version in both. */
function differsByVersion(recorded: readonly string[], made: readonly string[]): boolean {
  if (recorded.length !== made.length) return false
  const others = recorded.flatMap((segment, index) => (segment === made[index] ? [] : [segment, made[index] ?? '']))
  return others.length === 2 && others.every((segment) => /^v\d+(?:\.\d+)?(?:(?:alpha|beta)\d*)?$/.test(segment))
}
