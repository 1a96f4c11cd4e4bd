import { endpointInPath } from '../models/url-path.ts'

/** The compared parts of a URL. */
export interface NormalUrl {
  /** Without its query; its fragment is never sent. */
  readonly url: string
  /** Absent if there is none. */
  readonly query?: FormFields | string
}

/** Splits a URL. Leaves out signature fields in its query, which say who asks and until when. */
export function readUrl(text: string): NormalUrl {
  const [whole = ''] = text.split('#', 1)
  const start = whole.indexOf('?')
  if (start === -1) return { url: whole }
  const [url, search] = [whole.slice(0, start), whole.slice(start + 1)]
  const fields = readFormFields(search)
  if (fields === undefined) return { url, query: search }
  const kept = withoutSignature(fields)
  return Object.keys(kept).length === 0 ? { url } : { url, query: kept }
}

/** The compared part of a model call's URL: its operation and its query without credentials. Leaves out base URL and model. */
export function readModelUrl(text: string): NormalUrl {
  const { url, query } = readUrl(text)
  const endpoint = endpointInPath(url)
  if (query === undefined || typeof query === 'string') return { url: endpoint, ...(query === undefined ? {} : { query }) }
  const kept = Object.fromEntries(Object.entries(query).filter(([name]) => !credential.test(name)))
  return { url: endpoint, ...(Object.keys(kept).length === 0 ? {} : { query: kept }) }
}

/** A field with credentials: Google's `key`, and the names that gateways use. */
const credential = /^(?:key|token|(?:api|subscription)[_-]?key|(?:access|auth)[_-]?token)$/i

/** A scheme for signing URLs: if all fields of `by` are present, those of `adds` belong to the signature. Names in lower case. */
interface Signing {
  readonly by: readonly string[]
  readonly adds: readonly string[]
}

const signings: readonly Signing[] = [
  // AWS signature version 4 and compatible services. Google Cloud Storage uses the same scheme under its own name.
  signingFour('x-amz', ['security-token']),
  signingFour('x-goog', []),
  { by: ['awsaccesskeyid', 'signature'], adds: ['expires', 'x-amz-security-token'] },
  { by: ['googleaccessid', 'signature'], adds: ['expires'] },
  { by: ['ossaccesskeyid', 'signature'], adds: ['expires', 'security-token'] },
  // CloudFront.
  { by: ['key-pair-id', 'signature'], adds: ['expires', 'policy'] },
  // Azure's shared access signatures: the key, its version, and the period of validity. The permissions (sp, sr) are compared.
  { by: ['sig', 'sv'], adds: ['se', 'st', 'skoid', 'sktid', 'skt', 'ske', 'skv', 'sks'] },
]

function signingFour(prefix: string, more: readonly string[]): Signing {
  const named = (names: readonly string[]): string[] => names.map((name) => `${prefix}-${name}`)
  return { by: named(['credential', 'signature']), adds: named(['algorithm', 'date', 'expires', 'signedheaders', ...more]) }
}

function withoutSignature(fields: FormFields): FormFields {
  const names = new Set(Object.keys(fields).map((name) => name.toLowerCase()))
  const dropped = new Set(signings.filter(({ by }) => by.every((name) => names.has(name))).flatMap(({ by, adds }) => [...by, ...adds]))
  if (dropped.size === 0) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !dropped.has(name.toLowerCase())))
}

/** The fields of a query or of a urlencoded form, by name. A repeated name has a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Reads a query or a urlencoded form. The order of fields with different names and the escaping of characters do not matter.
 *
 * @returns Undefined if reading would lose information, for example bytes that are not UTF-8.
 */
export function readFormFields(text: string): FormFields | undefined {
  const fields = new Map<string, string | readonly string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.includes('\uFFFD') || value.includes('\uFFFD')) return undefined
    const known = fields.get(name)
    fields.set(name, known === undefined ? value : [...(typeof known === 'string' ? [known] : known), value])
  }
  return Object.fromEntries(fields)
}
