import { type SentCredential, takeHeaderCredentials } from '../../http/sent-credentials.ts'
import type { Variables } from '../../node/variables.ts'
import { credentialMark } from '../../trace/credential-mark.ts'
import { isCredentialVariable } from '../../redaction/credential-fields.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import type { Credential, HeaderPairs } from '../../trace/http-facts.ts'

/** The headers of a request as a trace has them, and the values of credentials and variables among them. */
export interface KeptHeaders {
  readonly asked: HeaderPairs
  readonly credentials: readonly Credential[]
}

/**
 * Redacts the headers of a request. A credential is known by its header's name, by its form, or by the name of its variable. A text with several
 * secrets stays a text with their stand-ins.
 */
export function keepAskedHeaders(headers: HeaderPairs, redactor: Redactor, variables: Variables): KeptHeaders {
  const secretsIn = (redacted: string): number => redactor.standIns.find(redacted).filter(({ kind }) => kind === 'secret').length
  const named = new Set<string>()
  for (const [name, value] of headers) {
    const isNamed = variables.namesOf(value).some(isCredentialVariable)
    if (isNamed && secretsIn(redactor.value([name, value] as const)[1]) < 2) named.add(name)
  }
  const taken = takeHeaderCredentials(headers, named)
  const credentials = [...keepCredentials(taken.credentials, redactor, variables)]
  const asked = taken.asked.map(([name, value]): readonly [string, string] => {
    if (value.includes(credentialMark)) return [name, value]
    const [, redacted] = redactor.value([name, value] as const)
    const secrets = secretsIn(redacted)
    const names = variables.namesOf(value)
    if (secrets > 1) return [name, redacted]
    if (secrets === 1) {
      credentials.push({ at: name, value: redacted, ...asVariables(names) })
      return [name, credentialMark]
    }
    if (names.length > 0) credentials.push({ at: name, variables: names })
    return [name, redacted]
  })
  return { asked, credentials }
}

/** Returns credentials as a trace has them: a stand-in for each value, never the value. */
export function keepCredentials(sent: readonly SentCredential[], redactor: Redactor, variables: Variables): readonly Credential[] {
  return sent.map(({ at, value }) => ({ at, value: redactor.credential(value), ...asVariables(variables.namesOf(value)) }))
}

function asVariables(variables: readonly string[]): Pick<Credential, 'variables'> {
  return variables.length === 0 ? {} : { variables }
}
