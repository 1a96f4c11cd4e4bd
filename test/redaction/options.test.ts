import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import type { RedactOptions } from '../../src/redaction/redact-options.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { tool } from '../../src/run/tool.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const redact = (options: RedactOptions): ((value: unknown) => unknown) => createRedactor({ ruleSet: createRuleSet(options) }).value

const wrong: readonly (readonly [what: string, options: object, problem: string])[] = [
  [
    'a country that it does not know',
    { countries: ['XX'] },
    'has no country "XX". There are: AE, AT, AU, BE, BR, CH, CN, CZ, DE, DK, ES, FI, FR, GB, GR, IE, IL, IN, IT, JP, KR, MX, NL, NO, NZ, PL, PT, RU, SE, SG, TR, UA, ZA.',
  ],
  ['an option that it does not know', { rule: [] }, 'takes rules, off, keep, draws, countries, not "rule".'],
  ['a rule that it does not have', { off: ['e-mail'] }, 'has no rule "e-mail" to turn off. The built-in ones: private-key, '],
  ['a rule without a name', { rules: [{ pattern: /x/ }] }, 'has a rule without a name. Give it one: the trace names it.'],
  ['a name of a built-in rule', { rules: [{ name: 'email', pattern: /x/ }] }, 'has two rules with the name "email".'],
  [
    'a path that is none',
    { rules: [{ name: 'a', path: 'a..b' }] },
    'has a path that cannot be parsed: "a..b". Write it like customer.name or items[*].note.',
  ],
  [
    'a rule that looks for nothing',
    { rules: [{ name: 'a' }] },
    'has a rule "a" that looks for nothing. Give it a path, a pattern, or a function as find.',
  ],
  ['a value to keep that is none', { keep: [1] }, 'has to hold texts and patterns, keep: ["support@shop.example", /@shop\\.example$/].'],
  ['draws that are nothing', { draws: 'drop' }, 'draws has to be "keep" or "stand-in".'],
]

it.each(wrong)('refuses %s', (_, options, problem) => {
  expect(() => createRecorder({ store: 'unused', redact: options })).toThrow(`createRecorder: the option "redact" ${problem}`)
})

it('takes out what stands at a path, wherever it comes up again', () => {
  const value = redact({
    rules: [
      { name: 'name', path: 'customers[*].name' },
      { name: 'pin', path: 'pin' },
    ],
  })
  expect(value({ customers: [{ name: 'Ann Lee', city: 'Rome' }], name: 'Bob Ray', pin: 123456 })).toEqual({
    customers: [{ name: 'Wit Aab', city: 'Rome' }],
    name: 'Bob Ray',
    pin: 999001,
  })
  expect(value('Dear Ann Lee, Ann+Lee, Ann%20Lee, Joann Leeds')).toBe('Dear Wit Aab, Wit+Aab, Wit%20Aab, Joann Leeds')
  expect(value({ content: '{"order":{"customers":[{"name":"Cid Fox"}]}}' })).toEqual({
    content: '{"order":{"customers":[{"name":"Wit Aac"}]}}',
  })
})

it('takes out what a sign separates from the letters around it, and nothing within a word', () => {
  const value = redact({ rules: [{ name: 'pin', path: 'pin' }] })
  value({ pin: '#hunter2!' })
  value({ pin: 'Lee1' })
  expect(value('x#hunter2!xyz, Lee1s, Lee1st, aLee1, Lee1')).toBe('x#withaa1!xyz, Lee1s, Lee1st, aLee1, REDACTED00002')
})

it('turns rules off, and keeps what is public', () => {
  const text = 'ann@firm.de, support@shop.example, +49 170 1234567'
  expect(redact({ off: ['phone-number'] })(text)).toBe('wit@haab.zz, withhel@daab.invalid, +49 170 1234567')
  expect(redact({ keep: ['Support@Shop.example', /^\+49/] })(text)).toBe('wit@haab.zz, support@shop.example, +49 170 1234567')
})

it('writes nothing of a text that a rule could not look at, notes the rule, and lets the run go on', async () => {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const find = (text: string): string[] => {
    if (text.includes('poison')) throw new Error('no')
    return []
  }
  const recorder = createRecorder({ store, redact: { rules: [{ name: 'fussy', find }] } })
  const look = tool('look', {}, async (text: string) => `seen ${text}`)
  const run = await recorder.run({ agent: 'a', input: 'fine' }, async () => [await look('poison ann'), await look('fine')])
  await recorder.close()
  expect(run).toEqual(['seen poison ann', 'seen fine'])
  const [name = ''] = await readdir(store)
  const trace = await readTrace(directory.resolve('runs', name))
  expect(JSON.stringify(trace.rows)).not.toContain('ann')
  expect(trace.steps.map(({ input, output }) => [input, output])).toEqual([
    ['[not kept: a redaction rule failed]', '[not kept: a redaction rule failed]'],
    ['fine', 'seen fine'],
  ])
  expect(trace.rows.filter(({ kind }) => kind === 'note')).toEqual([
    { kind: 'note', what: 'redaction-failed', where: 'fussy', at: expect.any(Number) as number },
  ])
})
