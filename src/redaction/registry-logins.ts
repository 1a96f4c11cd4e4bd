import type { Found } from './rule.ts'
import { gap } from './written-values.ts'

const auth = new RegExp(
  `(?<quote>\\\\{0,15}["'])auth\\k<quote>${gap}:${gap}\\k<quote>(?<secret>[A-Za-z0-9+/=_-]{8,4000})(?=\\k<quote>)`,
  'g',
)
const byHost = new RegExp(
  `(?<quote>\\\\{0,15}["'])[\\w-]{1,60}(?:\\.[\\w-]{1,60}){1,5}\\k<quote>${gap}:${gap}\\k<quote>(?<secret>[\\w-]{16,400})(?=\\k<quote>)`,
  'g',
)

/** Finds logins of registries as docker's config has them, and tokens by host in Composer's auth.json. */
export function* findRegistryLogins(text: string): Generator<Found> {
  if (text.includes('auths')) yield* findAll(text, auth)
  if (/-oauth|gitlab-token/.test(text)) yield* findAll(text, byHost)
}

function* findAll(text: string, pattern: RegExp): Generator<Found> {
  for (const { index, groups, 0: found } of text.matchAll(pattern)) {
    const secret = groups?.['secret'] ?? ''
    const start = index + found.length - secret.length
    yield { start, end: start + secret.length, shape: 'word' }
  }
}

/** Returns whether a text is a name and a password in base64. */
export function isEncodedLogin(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{8,4000}={0,2}$/.test(text) && /^[!-9;-~]{1,200}:[ -~]{3,}$/.test(Buffer.from(text, 'base64').toString('latin1'))
}
