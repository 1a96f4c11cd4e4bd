import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet, recordedRuleSet } from '../../src/redaction/rule-set.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { recordRun } from '../support/record-run.ts'

const redact = (text: string, ...countries: readonly string[]): string =>
  createRedactor({ ruleSet: createRuleSet({ countries }) }).text(text)

it.each([
  ['DE', 'Ruf 0171 2345678 an', 'Ruf 0000 0000001 an'],
  ['GB', 'Ring 07700 900123', 'Ring 00000 000001'],
  ['FR', 'au 06.12.34.56.78', 'au 00.00.00.00.01'],
  ['ES', 'al 612 34 56 78', 'al 000 00 00 01'],
  ['JP', '090-1234-5678 です', '000-0000-0001 です'],
])('finds a number as people in %s write it, if the options name the country', (country, text, redacted) => {
  expect(redact(text, country)).toBe(redacted)
  expect(redact(text)).toBe(text)
  expect(redact(text, country === 'DE' ? 'ES' : 'DK')).toBe(text)
})

it('gives a number the same stand-in at home and abroad', () => {
  const redactor = createRedactor({ ruleSet: createRuleSet({ countries: ['DE'] }) })
  const text = redactor.text('0171 2345678, +49 171 2345678, 0049 171 2345678, (0171) 234-5678')
  expect(redactor.standIns.find(text).map(({ number }) => number)).toEqual([1, 1, 1, 1])
  expect(redactor.text(text)).toBe(text)
})

it('does not confuse numbers of different lengths that are written alike', () => {
  const redactor = createRedactor({ ruleSet: createRuleSet({ countries: ['DE'] }) })
  const text = redactor.text('0171 2345678 and +49 30 123456789 and tel: 0171 234567')
  const numbers = redactor.standIns.find(text).map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
})

it.each([
  ['tel: 0171 2345678', 'tel: 0000 0000001'],
  ['{"mobile":"0171 2345678"}', '{"mobile":"0000 0000001"}'],
  ['Call 0041 44 668 18 00.', 'Call 0000 00 000 00 01.'],
  ['Phone 011 44 20 7946 0958', 'Phone 000 00 00 0000 0001'],
])('finds %j in every country', (text, redacted) => {
  expect(redact(text)).toBe(redacted)
})

it.each([
  'on 01.02.2026 and 03/04/26',
  'from 06:25:18 to 07:00:00',
  'ISBN 0-306-40615-2, 978-3-16-148410-0',
  'build 0012.0034.0056',
  'order 0012345678 of 0099999999',
  '48.137154, 11.576124',
  'EUR 612.345.678,90',
])('leaves %j alone in every country', (text) => {
  expect(redact(text, 'DE', 'GB', 'CH', 'FR', 'AT', 'IT', 'NL', 'AU', 'JP', 'IN')).toBe(text)
})

const note = external('note', async (text: string) => ({ length: text.length }))

it('keeps the countries in the trace, so that a replay finds the same numbers', async () => {
  const agent = async ({ from }: { from: string }): Promise<unknown> => await note(`${from} called 07700 900456`)
  const { trace, text } = await recordRun(agent, { input: { from: '07700 900123' }, recorder: { redact: { countries: ['GB'] } } })
  expect(text).not.toMatch(/900123|900456/)
  expect(trace.header.redaction.countries).toEqual(['GB'])
  expect(recordedRuleSet(trace.header.redaction).record.countries).toEqual(['GB'])
  const { divergences } = await replay(trace, agent)
  expect(divergences).toEqual([])
})
