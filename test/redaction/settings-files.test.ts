import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'

const secret = 'Tr0ub4dor-Xq7-staple'
const redact = (text: string): unknown => createRedactor({}).value(text)

it.each([
  `[db]\npassword = ${secret}\n`,
  `db.password = ${secret}\r\nport = 5432`,
  `export DB_PASSWORD = ${secret}`,
  `  api_key: ${secret} # of the shop`,
  `"[db]\\npassword = ${secret}\\nport = 1"`,
  `machine shop.example login ada password ${secret}\n`,
  `export default { user: 'ada', password: '${secret}' }`,
  `const config = { apiKey: "${secret}", region: "eu" }`,
])('finds the secret in %j', (text) => {
  expect(redact(text)).not.toContain(secret)
  expect(String(redact(text)).length).toBe(text.length)
})

it.each([
  'Password: required',
  'password = swordfish',
  'password = getPassword(1)',
  'const password = input1\nreturn password',
  'The password: 12 letters or more',
  "interface Login { password: 'string' }",
  'login with your password today',
  'password: <your-key1>',
])('leaves %j as it is', (text) => {
  expect(redact(text)).toBe(text)
})
