import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { provideTemporal } from './provide-temporal.ts'

const temporal = provideTemporal()
// As in production, where the doors are open before the agent's modules load.
afterAll(installDoors())

const EarlyDate = Date
const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeZone: 'UTC' })
const formatNow = format.format
class Moment extends Date {
  iso(): string {
    return this.toISOString()
  }
}

/** Everything that tells what the time is, as text that begins with the date. */
const clocks: Readonly<Record<string, () => string>> = {
  'Date.now()': () => iso(Date.now()),
  'new Date()': () => new Date().toISOString(),
  'Date()': () => iso(Date.parse(Date())),
  'a subclass of Date': () => new Moment().iso(),
  'Reflect.construct(Date)': () => Reflect.construct(Date, []).toISOString(),
  'a Date that was taken hold of early': () => new EarlyDate().toISOString(),
  'the constructor of a date': () => Reflect.construct(new Date(0).constructor, []).toISOString(),
  'toLocaleString() of now': () => new Date().toLocaleString('sv', { timeZone: 'UTC' }),
  'format() without a date': () => reversed(format.format()),
  'format() that was taken hold of early': () => reversed(formatNow()),
  'formatToParts() without a date': () =>
    reversed(
      format
        .formatToParts()
        .map(({ value }) => value)
        .join(''),
    ),
  'Temporal.Now.instant()': () => temporal.Now.instant().toString(),
  'Temporal.Now.zonedDateTimeISO()': () => temporal.Now.zonedDateTimeISO('UTC').toString(),
  'Temporal.Now.plainDateTimeISO()': () => temporal.Now.plainDateTimeISO('UTC').toString(),
  'Temporal.Now.plainDateISO()': () => temporal.Now.plainDateISO('UTC').toString(),
  'performance.timeOrigin': () => iso(performance.timeOrigin + performance.now()),
}

it.each(Object.entries(clocks))('gives the recorded time: %s', async (_name, read) => {
  const { trace, output } = await recordRun(read)
  expect(output.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
  await expectClean(trace, read)
  // Nothing but the header and differences to it says when that was: the same run at another time.
  const moved = await replay(moveTo(trace, '2020-02-29T12:00:00.000Z'), read)
  expect(moved.outcome).toMatchObject({ status: 'returned', output: expect.stringMatching(/^2020-02-29/) })
})

it('gives the real time to what is outside the run meanwhile', async () => {
  const outside = AsyncLocalStorage.snapshot()
  const agent = (): string[] => outside(() => Object.values(clocks).map((read) => read().slice(0, 4)))
  const { trace } = await recordRun(agent)
  const moved = await replay(moveTo(trace, '2020-02-29T12:00:00.000Z'), agent)
  const year = String(new Date().getUTCFullYear())
  expect(moved.outcome).toEqual({ status: 'returned', output: Object.keys(clocks).map(() => year) })
  expect(rowsOf(trace, 'reads')).toEqual([])
})

it('keeps what a date is an instance of', async () => {
  const agent = (): unknown[] => [
    new Date() instanceof Date,
    new EarlyDate() instanceof Date,
    new Moment() instanceof Moment,
    new Moment() instanceof Date,
    Object.prototype.toString.call(new Date()),
    structuredClone(new Date(5)).getTime(),
    new Date().constructor === Date,
  ]
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([true, true, true, true, '[object Date]', 5, true])
  await expectClean(trace, agent)
})

it('reads no clock for a date that is given', async () => {
  const { trace, output } = await recordRun(() => [
    format.format(0),
    format.format(new Date(86_400_000)),
    format.formatToParts(0).length,
    new Date(2020, 0).getMonth(),
    new Date('2020-01-31').getUTCDate(),
    temporal.Instant.fromEpochMilliseconds(0).toString(),
  ])
  expect(output).toEqual(['01/01/1970', '02/01/1970', 5, 0, 31, '1970-01-01T00:00:00Z'])
  expect(rowsOf(trace, 'reads')).toEqual([])
})

it('returns the same format function each time, and refuses other objects', () => {
  expect(format.format).toBe(format.format)
  expect(() => Reflect.get(Intl.DateTimeFormat.prototype, 'format', {})).toThrow(TypeError)
  expect(() => Reflect.apply(format.formatToParts, {}, [])).toThrow(TypeError)
})

it('reads the origin of the monotonic clock once a run', async () => {
  const agent = (): number[] => [performance.timeOrigin, performance.timeOrigin]
  const { trace, output } = await recordRun(agent)
  expect(output[0]).toBe(output[1])
  expect(rowsOf(trace, 'reads')[0]?.clock).toHaveLength(1)
  expect(Math.abs(performance.timeOrigin - (output[0] ?? 0))).toBeLessThanOrEqual(0.5)
  await expectClean(trace, agent)
})

function iso(time: number): string {
  return new Date(time).toISOString()
}

/** `29/02/2020` as `2020-02-29`. */
function reversed(text: string): string {
  return text.split('/').toReversed().join('-')
}

function moveTo(trace: Trace, startedAt: string): Trace {
  return { ...trace, header: { ...trace.header, startedAt } }
}
