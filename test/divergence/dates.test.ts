import { expect, it } from 'vitest'
import { datesIn, withoutDates } from '../../src/divergence/dates.ts'

const day = Date.UTC(2026, 10, 21)
const noon = Date.UTC(2026, 10, 21, 12, 34, 56)

it.each([
  ['2026-11-21', day],
  ['2026-11-21T12:34:56Z', noon],
  ['2026-11-21T14:34:56.000+02:00', noon],
  ['November 21, 2026', day],
  ['Saturday, November 21, 2026', day],
  ['Nov 21st 2026', day],
  ['21 November 2026', day],
  ['Sat, 21 Nov 2026 12:34:56 GMT', noon],
  ['Sat Nov 21 2026 14:34:56 GMT+0200 (Eastern European Standard Time)', noon],
  ['11/21/2026', day],
  ['21/11/2026', day],
  ['21.11.2026', day],
  [String(noon), noon],
  [String(noon / 1000), noon],
])('reads the date %s', (text, time) => {
  const around = `Today is ${text}, says the clock.`
  expect(datesIn(around).map((date) => date.time)).toEqual([time])
  expect(withoutDates(around)).toBe('Today is <date>, says the clock.')
})

it('reads the local time that a browser would write', () => {
  const local = new Date(noon)
  for (const text of [local.toString(), local.toLocaleString('en-US')]) expect(datesIn(text).map(({ time }) => time)).toEqual([noon])
})

it.each([
  'ord_1763726400',
  '1.763726400',
  '4111111111111111',
  '2026-11',
  '99/99/2026',
  '31/31/2026',
  '0/15/2026',
  'v2026-11-21-beta',
  '192.168.1.2026',
  'May 2026',
])('takes %s as no date', (text) => {
  expect(withoutDates(text)).toBe(text)
})
