import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import type { ReadsRow } from '../../src/trace/rows.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'

afterAll(installDoors())

/** The values behind the differences that a trace keeps. */
function sum(differences: readonly number[], start: number): number[] {
  let value = start
  return differences.map((difference) => (value += difference))
}

it('keeps what every form of Date gave', async () => {
  const { trace, output } = await recordRun(() => {
    class Moment extends Date {}
    return [Date.now(), new Date().getTime(), new Moment().getTime(), Reflect.construct(Date, []).getTime(), Date.parse(Date())]
  })
  const [reads] = rowsOf(trace, 'reads')
  const times = sum(reads?.clock ?? [], Date.parse(trace.header.startedAt))
  expect(times.slice(0, 4)).toEqual(output.slice(0, 4))
  // As text a date has no milliseconds.
  expect(Math.floor((times[4] ?? 0) / 1000) * 1000).toBe(output[4])
})

it('reads no clock for a date that is given', async () => {
  const { trace, output } = await recordRun(() => [new Date(0).getTime(), new Date(2026, 0, 1).getFullYear(), Date.UTC(1970, 0, 1)])
  expect(output).toEqual([0, 2026, 0])
  expect(rowsOf(trace, 'reads')).toEqual([])
})

it('keeps what the monotonic clocks gave, to the microsecond', async () => {
  const { trace, output } = await recordRun(() => {
    const [seconds, nanoseconds] = process.hrtime()
    return [performance.now() * 1000, Number(process.hrtime.bigint() / 1000n), seconds * 1e6 + nanoseconds / 1000]
  })
  const [first, second, third] = sum(rowsOf(trace, 'reads')[0]?.monotonic ?? [], 0)
  expect([second, third, first]).toEqual([Math.round(output[0] ?? 0), output[1], output[2]])
})

it('gives the time since another reading', async () => {
  const { output } = await recordRun(() => {
    const start = process.hrtime()
    return process.hrtime(start)
  })
  expect(output[0]).toBe(0)
  expect(output[1]).toBeGreaterThanOrEqual(0)
})

it('puts reads in front of what followed them, in one row an owner', async () => {
  const { trace } = await recordRun(async () => {
    Date.now()
    Math.random()
    Date.now()
    await new Promise((resolve) => setTimeout(resolve, 1))
    Date.now()
  })
  expect(trace.rows.map(({ kind }) => kind)).toEqual(['run', 'reads', 'timer', 'reads', 'end', 'closed'])
  const [first] = rowsOf(trace, 'reads') as [ReadsRow]
  expect([first.clock?.length, first.random?.length]).toEqual([2, 8])
})
