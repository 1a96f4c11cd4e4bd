import { isJsonObject } from '../trace/json.ts'
import { privateParts } from './json-web-keys.ts'

/** The names under which rules know values by the object around them. No field of a program has such a name. */
export const inSecret = 'kubernetes-secret'
export const inCookie = 'listed-cookie'
const inKey = 'json-web-key'

const keyParts: ReadonlyMap<string, string> = new Map(privateParts.map((part) => [part, inKey]))
const secretParts: ReadonlyMap<string, string> = new Map(['data', 'stringData', 'binaryData'].map((part) => [part, inSecret]))
const loginParts: ReadonlyMap<string, string> = new Map(
  ['github-oauth', 'gitlab-oauth', 'gitlab-token', 'bearer'].map((part) => [part, inSecret]),
)
const cookieParts: ReadonlyMap<string, string> = new Map([['value', inCookie]])

/**
 * Returns names for the fields of an object whose form says that they are secret, whatever their own names: the private parts of a JSON web key, the data
 * of a Secret of Kubernetes, tokens by host in Composer's auth.json, and a listed cookie. A name also applies to the texts in an object.
 */
export function containedFields(object: object): ReadonlyMap<string, string> | undefined {
  if ('kty' in object) return keyParts
  if ('kind' in object) return object.kind === 'Secret' ? secretParts : undefined
  if ('value' in object) return 'name' in object && ('httpOnly' in object || 'sameSite' in object) ? cookieParts : undefined
  return 'github-oauth' in object || 'gitlab-token' in object ? loginParts : undefined
}

/** Maps a text, or the texts in an object. */
export function mapContained(field: unknown, map: (text: string) => string): unknown {
  if (typeof field === 'string') return map(field)
  if (!isJsonObject(field)) return field
  return Object.fromEntries(Object.entries(field).map(([key, text]) => [key, typeof text === 'string' ? map(text) : text]))
}
