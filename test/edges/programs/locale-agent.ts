import { setTimeout as sleep } from 'node:timers/promises'
import { tool } from '../../../src/run/tool.ts'

const ask = tool('ask', {}, async (args: unknown) => args)

/** Writes figures, dates and lists as the surroundings would have them, in every way. */
export async function localeAgent(): Promise<unknown> {
  const moment = new Date('2026-01-31T12:00:00Z')
  const words = ['z', 'ä', 'a']
  const asked = await ask([
    (1_234_567.5).toLocaleString(),
    1_234_567n.toLocaleString(),
    [1234.5, moment].toLocaleString(),
    moment.toLocaleString(undefined, { timeZone: 'UTC' }),
    moment.toLocaleDateString(undefined, { timeZone: 'UTC' }),
    moment.toLocaleTimeString(undefined, { timeZone: 'UTC' }),
    words.toSorted((a, b) => a.localeCompare(b)),
    words.toSorted(new Intl.Collator().compare),
    new Intl.NumberFormat().format(1234.5),
    new Intl.DateTimeFormat(undefined, { timeZone: 'UTC' }).format(moment),
    new Intl.RelativeTimeFormat().format(-1, 'day'),
    new Intl.ListFormat().format(words),
    new Intl.PluralRules().select(1),
    Intl.NumberFormat().resolvedOptions().locale,
    new Intl.NumberFormat('en-GB').format(1234.5),
  ])
  await sleep(2)
  return asked
}
