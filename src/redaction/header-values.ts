import { isCredential } from '../http/sent-credentials.ts'
import type { HeaderPairs } from '../trace/http-facts.ts'
import type { Redactor } from './redactor-types.ts'

/**
 * Returns headers with their names redacted, and their values, each as a field with the header's name: of a cookie its value, of `authorization` what
 * follows the scheme, of other credentials the whole value, of other headers what the rules find. The path of a user's rule may name one:
 * `headers["x-tenant"]`.
 */
export function redactHeaders(redactor: Redactor, headers: HeaderPairs): HeaderPairs {
  return headers.map(([name, value]) => {
    const redacted = redactor.hasPaths ? redactor.value(value, ['headers', name]) : redactor.text(value, name)
    return [redactor.text(name), redacted === value && isCredential(name, value) ? redactor.credential(value) : redacted]
  })
}
