import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { numberedValue } from '../support/numbered-stand-ins.ts'

const hex = '9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b'

it.each([
  ['a header', `Authorization: Token ${hex}`, hex],
  ['a header in JSON', `{"headers":"authorization: Token ${hex}"}`, hex],
  ['an option', 'deploy --api-key abc123def456 --region eu', 'abc123def456'],
  ['an option with a sign', 'deploy --auth-token=abc123def456', 'abc123def456'],
  ['a variable', 'DB_HOST=db DB_PASS=correcthorse node server.js', 'correcthorse'],
  ['a variable in JSON', '{"SMTP_PASS":"correct-horse"}', 'correct-horse'],
  ['a list of variables', '[{"name":"DB_PASSWORD","value":"correct horse"}]', 'correct horse'],
  ['a list of variables in JSON', JSON.stringify({ e: '[{"name":"DB_PASSWORD","value":"correct horse"}]' }), 'correct horse'],
  ['an entry of a map of protobuf', '{"8":[{"1":"password","2":"correct horse"}]}', 'correct horse'],
  ['a command', 'curl -s -u admin:s3cret! https://a.test', 's3cret!'],
  ['a command with quotation marks', `curl https://a.test --user "admin:correcthorse"`, 'correcthorse'],
])('finds a credential in %s', (_, text, secret) => {
  const redactor = createRedactor()
  const redacted = redactor.text(text)
  expect(redacted).not.toContain(secret)
  expect(redactor.text(redacted)).toBe(redacted)
})

it('finds the value of a variable in an object', () => {
  const redact = (value: unknown): unknown => {
    const redactor = createRedactor()
    return numberedValue(redactor.value(value), redactor.standIns)
  }
  const of = (name: string): unknown => redact({ env: [{ name, value: 'correct horse' }] })
  expect(of('DB_PASSWORD')).toEqual({ env: [{ name: 'DB_PASSWORD', value: 'REDACTED00001' }] })
  expect(of('DB_HOST')).toEqual({ env: [{ name: 'DB_HOST', value: 'correct horse' }] })
  const inMap = (name: string): unknown => redact({ 8: [{ 1: name, 2: 'correct horse' }] })
  expect(inMap('password')).toEqual({ 8: [{ 1: 'password', 2: 'REDACTED00001' }] })
  expect(inMap('colour')).toEqual({ 8: [{ 1: 'colour', 2: 'correct horse' }] })
  expect(redact({ DB_PASS: 'correct horse' })).toEqual({ DB_PASS: 'REDACTED00001' })
})

it.each([
  'deploy --api-key $API_KEY --token <token>',
  'Pass --password twice, or --token whatever.',
  'curl -u user:password https://a.test',
  'curl -u "$NAME:$PASS" https://a.test',
  'docker run -u 1000:1000 alpine',
  'OLD_PWD=/home/ann FIRST_PASS=true MAX_PASS=3000',
  'Authorization: required for all requests',
  '--max-tokens 4096 --token-limit 100000',
  '{"name":"password","value":"string"}',
])('leaves %s as it is', (text) => {
  expect(createRedactor().text(text)).toBe(text)
})
