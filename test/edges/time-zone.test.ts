import { afterEach, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import type { Trace } from '../../src/trace/trace.ts'

const own = process.env['TZ']
afterEach(() => setZone(own))
function setZone(zone: string | undefined): void {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
}

const ask = tool('ask', {}, async (args: unknown) => args)
const agent = async (): Promise<unknown> => {
  const moment = new Date('2026-01-31T22:30:00Z')
  const first = await ask([moment.getDate(), moment.getHours(), moment.toLocaleString('en-GB'), new Date(2026, 0, 31).toISOString()])
  await new Promise((resolve) => setTimeout(resolve, 3))
  return [first, moment.getHours(), new Intl.DateTimeFormat().resolvedOptions().timeZone]
}
const zones = ['Asia/Tokyo', 'America/New_York', 'Australia/Adelaide', 'UTC']

async function recordIn(zone: string): Promise<Trace> {
  setZone(zone)
  return (await recordRun(agent)).trace
}

it('gives a replay the time zone of its recording, and takes it back', async () => {
  for (const zone of zones) {
    const trace = await recordIn(zone)
    expect(trace.header.runtime.timeZone).toBe(zone)
    setZone('Europe/Berlin')
    const run = await replay(trace, agent)
    expect([run.divergences, run.hash, process.env['TZ'], new Date(0).getHours()]).toEqual([[], trace.hash, 'Europe/Berlin', 1])
    // Where the recording does not say, the hour is another.
    const { runtime, ...header } = trace.header
    const unsaid = { ...trace, header: { ...header, runtime: { ...runtime, timeZone: 'Europe/Berlin' } } }
    expect((await replay(unsaid, agent)).divergences[0]).toMatchObject({ cause: 'input', step: 1 })
  }
})

it('keeps replays in different zones apart that are started at once', async () => {
  const traces: Trace[] = []
  for (const zone of zones) traces.push(await recordIn(zone))
  setZone('Europe/Berlin')
  const mixed = [...traces, ...traces.toReversed(), ...traces]
  const runs = await Promise.all(mixed.map((trace) => replay(trace, agent)))
  expect(runs.flatMap(({ divergences }) => divergences)).toEqual([])
  expect(runs.map(({ hash }) => hash)).toEqual(mixed.map(({ hash }) => hash))
  expect([process.env['TZ'], new Date(0).getHours()]).toEqual(['Europe/Berlin', 1])
})
