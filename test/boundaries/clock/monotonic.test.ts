import { hrtime as namedHrtime, uptime as namedUptime } from 'node:process'
import { performance as namedPerformance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

// As in production, where the doors are open before the agent's modules load.
afterAll(installDoors())

const earlyNow = performance.now.bind(performance)

/** Everything that tells how time passes. None gives the same twice within a microsecond. */
const clocks: Readonly<Record<string, () => unknown>> = {
  'performance.now()': () => performance.now(),
  'performance.now() that was taken hold of early': () => earlyNow(),
  'performance of node:perf_hooks': () => namedPerformance.now(),
  'process.hrtime()': () => process.hrtime(),
  'process.hrtime.bigint()': () => String(process.hrtime.bigint()),
  'hrtime of node:process': () => [namedHrtime(), String(namedHrtime.bigint())],
  'process.uptime()': () => process.uptime(),
  'uptime of node:process': () => namedUptime(),
  'performance.mark()': () => performance.mark('step').startTime,
  'performance.mark() with a detail': () => [performance.mark('step', { detail: 7 })].map(({ startTime, detail }) => [startTime, detail]),
  'performance.measure()': () => durationOf(performance.measure('run')),
  'performance.measure() with a detail': () => durationOf(performance.measure('run', { detail: 7 })),
  'performance.measure() with a duration alone': () => durationOf(performance.measure('run', { duration: 7 })),
  'performance.measure() from a mark': () => {
    performance.mark('start')
    return [durationOf(performance.measure('since', 'start')), durationOf(performance.measure('since', { start: 'start', detail: 1 }))]
  },
}

it.each(Object.entries(clocks))('gives the recorded reading: %s', async (_name, read) => {
  const agent = async (): Promise<unknown[]> => {
    const before = read()
    await sleep(3)
    return [before, read()]
  }
  const { trace, output } = await recordRun(agent)
  expect(output[0]).not.toEqual(output[1])
  expect(rowsOf(trace, 'reads').length).toBeGreaterThan(0)
  await expectClean(trace, agent)
})

it('takes times that are given', async () => {
  const agent = (): unknown[] => {
    performance.mark('first', { startTime: 5 })
    performance.mark('second', { startTime: 12 })
    return [
      durationOf(performance.measure('between', 'first', 'second')),
      durationOf(performance.measure('between', { start: 'first', end: 'second' })),
      durationOf(performance.measure('between', { start: 'first', duration: 2 })),
      durationOf(performance.measure('between', { end: 'second' })),
    ]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([7, 7, 2, 12])
  expect(rowsOf(trace, 'reads')).toEqual([])
  await expectClean(trace, agent)
})

it('gives the time since another reading, to the nanosecond that the recording has', async () => {
  const agent = async (): Promise<unknown> => {
    const start = process.hrtime()
    const startBigint = process.hrtime.bigint()
    await sleep(3)
    const [seconds, nanoseconds] = process.hrtime(start)
    return { elapsed: seconds * 1e9 + nanoseconds, elapsedBigint: Number(process.hrtime.bigint() - startBigint) }
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toMatchObject({ elapsed: expect.any(Number) })
  await expectClean(trace, agent)
})

it('refuses what Node refuses, on replay too', async () => {
  const refused = [
    () => Reflect.apply(process.hrtime, process, ['now']),
    () => Reflect.apply(process.hrtime, process, [[1]]),
    () => Reflect.apply(performance.now, {}, []),
    () => performance.mark('negative', { startTime: -1 }),
    () => performance.measure('since', 'a mark that nobody made'),
  ]
  const agent = (): unknown[] => refused.map((read) => codeOf(read))
  const outside = agent()
  expect(outside).toEqual([
    'ERR_INVALID_ARG_TYPE',
    'ERR_OUT_OF_RANGE',
    'ERR_INVALID_THIS',
    'ERR_PERFORMANCE_INVALID_TIMESTAMP',
    'SyntaxError',
  ])
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(outside)
  await expectClean(trace, agent)
})

function durationOf({ duration }: { readonly duration: number }): number {
  return duration
}

function codeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof DOMException ? error.name : Reflect.get(Object(error), 'code')
  }
}
