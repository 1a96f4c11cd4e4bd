import { expect, it } from 'vitest'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

/** As a module would take it when it is loaded. */
const now = new Date()
const today = now.toISOString().slice(0, 10)
const processStart = Date.now() - process.uptime() * 1000
const write = tool('write', {}, async (text: unknown) => typeof text)

/** A run whose module was loaded in an earlier process, replayed by one whose module is loaded now. */
async function run(recorded: unknown, live: unknown): Promise<ReplayedRun> {
  const { trace } = await recordRun(() => write(recorded))
  return await replay(trace, () => write(live))
}

it.each([
  ['a day', 'Today is 2026-01-31.', `Today is ${today}.`],
  ['a time', { at: '2026-01-31T08:00:00.000Z' }, { at: now.toISOString() }],
  ['a date in words', 'It is Sat Jan 31 2026, hello', `It is ${now.toDateString()}, hello`],
  ['a date in a sentence', 'January 31, 2026', now.toLocaleDateString('en-US', { dateStyle: 'long' })],
  ['milliseconds', { at: 1_770_000_000_000 }, { at: now.getTime() }],
  ['a Date', { at: new Date('2026-01-31T08:00:00.000Z') }, { at: now }],
])('calls %s that is the real one what it is', async (_, recorded, live) => {
  const replayed = await run(recorded, live)
  expect(replayed.divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['environment'] }])
  expect(renderReport(replayed, { color: false, width: 160 })).toContain(
    'The agent sent the real date, not the recorded one: a module read the clock when it was loaded, before any run. Read the clock inside the run instead.\n',
  )
})

it('calls a date that moved from the run into a module what it is', async () => {
  const { trace } = await recordRun(() => write({ at: new Date().toISOString() }))
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const loaded = new Date()
  const replayed = await replay(trace, () => write({ at: loaded.toISOString() }))
  expect(replayed.divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['environment'] }])
})

it.each([
  ['another date than the real one', 'Due 2026-01-31.', 'Due 2027-01-31.'],
  ['words beside the date', 'Today is 2026-01-31.', `Yesterday was ${today}.`],
  ['a date more', 'Today is 2026-01-31.', `Today is ${today}, ${today}.`],
  ['one of two dates', '2026-01-31 to 2026-02-01', `${today} to 2027-02-01`],
  ['a date for a word', 'Today is a day.', `Today is ${today}.`],
  ['a time before the process started', { at: '2026-01-31T08:00:00.000Z' }, { at: new Date(processStart - 120_000).toISOString() }],
  ['a day after the recorded run', 'Due 2099-01-31.', `Due ${today}.`],
])('does not blame the environment for %s', async (_, recorded, live) => {
  expect((await run(recorded, live)).divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['args'] }])
})

it('names both where more than the date differs', async () => {
  const replayed = await run({ at: '2026-01-31', id: 1 }, { at: today, id: 2 })
  expect(replayed.divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['environment', 'args'] }])
})

it.each([
  ['a moment in place of its day', (at: number) => [new Date(at).toISOString().slice(0, 10), new Date(at).toISOString()]],
  ['a day in place of its moment', (at: number) => [new Date(at).toISOString(), new Date(at).toISOString().slice(0, 10)]],
  ['a number in place of a text', (at: number) => [new Date(at).toISOString(), at]],
  ['a text in place of a number', (at: number) => [at, new Date(at).toISOString()]],
  ['seconds in place of milliseconds', (at: number) => [at, Math.floor(at / 1000)]],
] as const)('calls %s an input of its part', async (_, forms) => {
  const agent = (form: 0 | 1) => async (): Promise<unknown> => {
    const at = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 5))
    return await write({ at: forms(at)[form] })
  }
  const { trace } = await recordRun(agent(0))
  const replayed = await replay(trace, agent(1))
  expect(replayed.divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['args'] }])
})

it.each([
  ['milliseconds', (at: number) => new Date(at).toISOString(), 5],
  ['a number', (at: number) => at, 5],
  ['seconds', (at: number) => new Date(at).toISOString().slice(0, 19), 1000],
])('calls a changed offset of a date in %s, which the run read, an input of its part', async (_, form, offset) => {
  const agent = (added: number) => async (): Promise<unknown> => {
    const at = Date.now()
    await new Promise((resolve) => setTimeout(resolve, offset + 15))
    return await write({ at: form(at + added) })
  }
  const { trace } = await recordRun(agent(0))
  const replayed = await replay(trace, agent(offset))
  expect(replayed.divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['args'] }])
})
