import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet, recordedRuleSet } from '../../src/redaction/rule-set.ts'

const drawn = 'Quitten03saft'

it.each([
  { pass: drawn },
  { pwd: drawn },
  { dbPass: 'swordfish' },
  { smtp_pass: 'swordfish' },
  { 'mail-pwd': 'swordfish' },
  { storePass: drawn },
  { store_pwd: drawn },
  { password2: 'swordfish' },
  { password_confirmation: 'swordfish' },
  { passwordConfirmation: 'swordfish' },
  { password_repeat: 'swordfish' },
  { passcode: '493021' },
  { userPasscode: 'swordfish' },
  { smtp: { host: 'h', auth: { user: 'bob', pass: 'swordfish' } } },
  { createUser: 'bob', roles: [], user: 'bob', pwd: 'swordfish' },
  { env: [{ name: 'smtp_pass', value: 'swordfish' }] },
  { args: ['send', '--smtp-pass', 'swordfish'] },
  { sql: `UPDATE users SET pass = '${drawn}' WHERE pwd = ?`, values: [drawn] },
  { fields: ['login', 'pwd'], rows: [['bob', drawn]] },
])('finds a password in a field of %j', (value) => {
  const redactor = createRedactor()
  const redacted = redactor.value(value)
  expect(JSON.stringify(redacted)).not.toMatch(/swordfish|493021|Quitten/)
  expect(redactor.value(redacted)).toEqual(redacted)
})

it.each([
  `login=bob&pass=${drawn}&next=1`,
  `login=bob&pwd=${drawn}`,
  'login=bob&password2=swordfish&passcode=493021',
  `{"user":"bob","pass":"${drawn}"}`,
  JSON.stringify({ args: `{"smtp_pass":"swordfish","pwd":"${drawn}"}` }),
  `Server=db;User Id=bob;Pwd=${drawn};`,
])('finds a password in %s', (text) => {
  const redactor = createRedactor()
  const redacted = redactor.text(text)
  expect(redacted).not.toMatch(/swordfish|493021|Quitten/)
  expect(redactor.text(redacted)).toBe(redacted)
})

it.each([
  { pass: true, pwd: null },
  { name: 'adds numbers', pass: 'passed' },
  { user: 'ann', pwd: '/home/ann2' },
  { user: 'ann', pwd: String.raw`C:\Users\ann2` },
  { user: 'ann', pass: 'required' },
  { pass: 'round 2', renderPass: 'shadow-2', firstPass: 'v1.20.3' },
  { pass: '2026-11-28T03:14:15Z', last_pass: '2026-11-28' },
  { passenger: drawn, compass: drawn, bypass: drawn, passengers2: drawn, trespass: drawn, pwdx: drawn },
  { boardingPass: 'ABC123XY', season_pass: 'ABC123XY' },
  { pass: '95.5%', fail: '4.5%' },
  { PWD: '/work/m1', OLDPWD: '/work/m2', pwd: './src/a1' },
  { password_length: 'min12chars', password_check: 'failed2times', passwordReset: 'sent2days' },
  { pass: '<your-password1>', smtp_pass: '$SMTP_PASS' },
])('leaves %j as it is', (value) => {
  expect(createRedactor().value(value)).toEqual(value)
  expect(createRedactor().text(JSON.stringify(value))).toBe(JSON.stringify(value))
})

it.each(['pass=3 fail=2', 'pwd=/home/ann2', 'The second pass=complete', 'pass = true', 'pass=getPass2()', 'compass=n45e12'])(
  'leaves %s as it is',
  (text) => {
    expect(createRedactor().text(text)).toBe(text)
  },
)

it('leaves a column of a statement as it is', () => {
  const statement = { sql: 'UPDATE users SET pwd=other.pwd2 FROM other', values: [] }
  expect(createRedactor().value(statement)).toEqual(statement)
})

it('leaves a field alone if the trace was recorded without the rule', () => {
  const { record } = createRuleSet({ off: ['password-field'] })
  const value = { auth: { user: 'bob', pass: drawn }, smtp_pass: drawn, password2: drawn }
  expect(createRedactor({ ruleSet: recordedRuleSet({ ...record, standIns: 0 }) }).value(value)).toEqual(value)
})
