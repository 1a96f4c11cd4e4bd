import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { planted } from './secrets.ts'

/** Names of fields that nobody else may read, as programs write them. */
const names = [
  'password',
  'Password',
  'dbPassword',
  'PASSWORD',
  'passwd',
  'passphrase',
  'PASSPHRASE',
  'clientSecret',
  'client_secret',
  'CLIENT_SECRET',
  'apiKey',
  'api_key',
  'X-Api-Key',
  'OPENAI_API_KEY',
  'accessToken',
  'refresh_token',
  'ACCESS_TOKEN',
  'privateKey',
  'authorization',
  'Authorization',
  'AUTHORIZATION',
]
const value = 'correct-horse-battery-9'
const fields = names.flatMap((name) => [`{"${name}":"${value}"}`, `{\\"${name}\\":\\"${value}\\"}`, `${name}=${value}&next=1`])

/** A body is looked through in one way where it is short, and in another where it is long. */
const bodies: readonly (readonly [name: string, around: (text: string) => string])[] = [
  ['short', (text) => `It is ${text} then.`],
  ['long, at its start', (text) => `${text} ${'The lamp was sent to the customer on Monday. '.repeat(60)}`],
  ['long, at its end', (text) => `${'The lamp was sent to the customer on Monday. '.repeat(60)}${text}`],
  ['long, in its middle', (text) => `${'{"id":12,"name":"a lamp"},'.repeat(80)}${text}${',{"id":12,"name":"a lamp"}'.repeat(80)}`],
]

it.each(bodies)('finds what stands in a field of a secret name in a body that is %s', (_name, around) => {
  for (const field of fields) expect(createRedactor().text(around(field)), field).not.toContain(value)
})

it.each(bodies)('finds each of two hundred secrets in a body that is %s', (_name, around) => {
  for (const { kind, text, secret } of planted) {
    if (kind.startsWith('own-')) continue
    expect(createRedactor().text(around(text)), `${kind}: ${text}`).not.toContain(secret)
  }
})
