import { credentialMark } from '../trace/credential-mark.ts'
import { remember } from '../trace/remember.ts'
import type { HeaderPairs } from '../trace/http-facts.ts'

/** A value that says who asks, as it was sent. */
export interface SentCredential {
  /** Where: the name of a header, in lower case, with the name of a part (`cookie.sid`, `authorization.user`); `query.<name>`. */
  readonly at: string
  readonly value: string
}

/** What a request asks for, and in whose name. */
export interface TakenCredentials<Asked> {
  /** With `credentialMark` in place of each credential. */
  readonly asked: Asked
  readonly credentials: readonly SentCredential[]
}

/** Names of credentials, by their ends, in lower case. */
const strong =
  /(?:^|[-_.])(?:authorization|authentication|bearer|credentials?|jwt|jwt-assertion|otp|pass|passcode|passwd|password|secret|(?:access|auth|bearer|csrf|id|jwt|refresh|secret|security|service|session|user|xsrf)[-_]?token|(?:access|admin|api|app|application|auth|client|consumer|encryption|functions|licen[sc]e|master|private|rapidapi|secret|service|shared|signing|subscription|webhook)[-_]?key)$/

/**
 * Names that may also stand for something else: the key of a record, the token of a page, the code of a product. They count only before a value that
 * looks random.
 */
const weak =
  /(?:^|[-_.])(?:access|assertion|auth|code|code[-_]?verifier|csrf|key|pat|pin|saml(?:request|response)|sas|session|session[-_]?(?:id|key)|sid|sig|ticket|token|xsrf)$/

/** Names that only end like one: where a list continues, which lock is held. */
const harmless =
  /(?:idempotency|partition|sort|routing|ordering|cache|dedup(?:lication)?|correlation|websocket)-?key$|(?:next|prev(?:ious)?|page|paging|continuation|cursor|sync|resume|delta|lock|lease|idempotency|client-request)[-_]?token$/

/** Companions of temporary credentials, which say nothing in addition. */
const companions = /^(?:x-amz-)?security-token$/

/** Returns whether a header or a field of a query is a credential, by its name in lower case. */
export function isCredential(name: string, value: string): boolean {
  const strength = strengthOf(name)
  return (
    strength === 'strong' ||
    (strength === 'weak' && value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s.*\s/.test(value))
  )
}

const strengthOf = remember((name: string): 'strong' | 'weak' | 'none' => {
  if (harmless.test(name) || companions.test(name)) return 'none'
  return strong.test(name) ? 'strong' : weak.test(name) ? 'weak' : 'none'
})

/** @param named More names of headers that are credentials. */
export function takeHeaderCredentials(headers: HeaderPairs, named?: ReadonlySet<string>): TakenCredentials<HeaderPairs> {
  let asked: [string, string][] | undefined
  const credentials: SentCredential[] = []
  for (const [index, [name, value]] of headers.entries()) {
    const isCookie = name === 'cookie'
    if (!isCookie && !isCredential(name, value) && named?.has(name) !== true) continue
    if (value.includes(credentialMark)) continue
    asked ??= headers.map(([key, text]) => [key, text])
    asked[index] = [name, isCookie ? takeCookies(value, credentials) : takeScheme(name, value, credentials)]
  }
  return asked === undefined ? { asked: headers, credentials: none } : { asked, credentials }
}

/**
 * Takes the credentials out of a URL's query: `?key=…`. Of a signed URL, this is whose key signs; comparing leaves out what the signature adds.
 *
 * @param named More places that hold credentials: `query.k`.
 */
export function takeUrlCredentials(url: string, named?: ReadonlySet<string>): TakenCredentials<string> {
  const start = url.indexOf('?')
  if (start === -1) return { asked: url, credentials: none }
  const credentials: SentCredential[] = []
  const fields = url
    .slice(start + 1)
    .split('&')
    .map((field) => {
      const sign = field.indexOf('=')
      const name = sign === -1 ? '' : decoded(field.slice(0, sign)).toLowerCase()
      const value = field.slice(sign + 1)
      const at = `query.${name}`
      if (name === '' || isNothing(decoded(value)) || value === credentialMark) return field
      if (!isCredential(name, value) && named?.has(at) !== true) return field
      credentials.push({ at, value: name.startsWith('x-') ? (decoded(value).split('/', 1)[0] ?? '') : decoded(value) })
      return `${field.slice(0, sign)}=${credentialMark}`
    })
  return credentials.length === 0 ? { asked: url, credentials: none } : { asked: `${url.slice(0, start)}?${fields.join('&')}`, credentials }
}

/** A scheme (`Bearer`), and either one value or parameters: `Credential=…, Signature=…`. Source: RFC 9110, section 11.4. */
function takeScheme(name: string, value: string, credentials: SentCredential[]): string {
  const [scheme = ''] = name.endsWith('authorization') ? (/^[A-Za-z][\w-]* (?=\S)/.exec(value) ?? []) : []
  const rest = value.slice(scheme.length)
  if (isNothing(rest)) return value
  const basic = /^basic /i.test(scheme) ? basicPartsOf(rest) : undefined
  if (basic !== undefined) return `${scheme}${basic.map(([part, text]) => takePart(`${name}.${part}`, text, credentials)).join(':')}`
  const named = scheme === '' ? none : parametersOf(rest)
  if (named.length === 0) credentials.push({ at: name, value: rest })
  else for (const [part, text] of named) credentials.push({ at: `${name}.${part}`, value: text })
  return `${scheme}${credentialMark}`
}

/** What JavaScript writes where a value is missing: it is compared as it is. */
function isNothing(text: string): boolean {
  return /^(?:undefined|null|NaN|\[object \w+\])?$/.test(text)
}

/** Takes a part of a header. One of fewer than four characters is shorter than any secret, and stays. */
function takePart(at: string, value: string, credentials: SentCredential[]): string {
  if (value.length < 4 || isNothing(value)) return value
  credentials.push({ at, value })
  return credentialMark
}

/** Returns the user and the password. Source: RFC 7617. */
function basicPartsOf(rest: string): readonly Part[] | undefined {
  if (!/^[A-Za-z\d+/_-]+={0,2}$/.test(rest)) return undefined
  const decodedText = Buffer.from(rest, 'base64').toString()
  const colon = decodedText.indexOf(':')
  if (colon === -1 || !decodedText.isWellFormed()) return undefined
  return [
    ['user', decodedText.slice(0, colon)],
    ['password', decodedText.slice(colon + 1)],
  ]
}

/**
 * Returns whose credential signs, from the parameters of a scheme that signs each request. The signature and its time are left out. Sources: AWS
 * signature versions 2 and 4; EdgeGrid; RFC 7616, Digest; RFC 5849, OAuth 1.0; draft-cavage-http-signatures; Hawk; Azure's shared keys.
 */
function parametersOf(rest: string): readonly Part[] {
  const found = [...rest.matchAll(signers)]
  if (found.length > 0) {
    return found.map(({ groups = {} }) => [groups['name']?.toLowerCase() ?? '', (groups['value'] ?? '').split('/', 1).join('')])
  }
  const [account] = accountBeforeSignature.exec(rest) ?? []
  return account === undefined ? [] : [['account', account]]
}

/** A name and a value. */
type Part = readonly [string, string]

const signers =
  /(?:^|[\s,;])(?<name>credential|username|oauth_consumer_key|oauth_token|keyid|id|access_id|client_token|access_token)="?(?<value>[^\s",;]+)/gi

/** What comes before an HMAC of SHA-1 or SHA-256, in base64 or in hexadecimal digits. */
const accountBeforeSignature = /^[\w.+/-]+(?=:(?:[A-Za-z\d+/_-]{27}=?|[A-Za-z\d+/_-]{43}=?|[\dA-Fa-f]{40}|[\dA-Fa-f]{64})$)/

/** In the order of their names, because a jar has its own order. */
function takeCookies(value: string, credentials: SentCredential[]): string {
  return value
    .split(/;\s*/)
    .toSorted()
    .map((cookie) => {
      const sign = cookie.indexOf('=')
      const name = cookie.slice(0, Math.max(0, sign))
      const taken = takePart(`cookie.${name}`, cookie.slice(sign + 1), credentials)
      return sign === -1 ? taken : `${name}=${taken}`
    })
    .join('; ')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const none: readonly never[] = []
