import os, { freemem as namedFreemem } from 'node:os'
import process, { cpuUsage as namedCpuUsage, memoryUsage as namedMemoryUsage } from 'node:process'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { digest } from '../../../src/replay/traces/digest.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'

/** Uses memory and processor, so that what is read next differs. */
function work(): number {
  const held: unknown[] = []
  for (let index = 0; index < 300_000; index += 1) held.push({ index })
  return held.length
}

const changing: readonly (readonly [name: string, read: () => unknown])[] = [
  ['os.freemem', () => os.freemem()],
  ['os.freemem', () => namedFreemem()],
  ['os.uptime', () => os.uptime()],
  ['process.memoryUsage', () => process.memoryUsage()],
  ['process.memoryUsage', () => namedMemoryUsage()],
  ['process.memoryUsage.rss', () => process.memoryUsage.rss()],
  ['process.cpuUsage', () => process.cpuUsage()],
  ['process.cpuUsage', () => namedCpuUsage()],
  ['process.resourceUsage', () => process.resourceUsage()],
  ['process.availableMemory', () => process.availableMemory()],
  ['performance.eventLoopUtilization', () => performance.eventLoopUtilization()],
]

it.each(changing)('gives what %s gave', async (name, read) => {
  const agent = async (): Promise<unknown[]> => [read(), work(), read(), await Promise.resolve(), work(), read()]
  const { trace, output } = await recordRun(agent)
  const facts = rowsOf(trace, 'reads').flatMap((row) => row.facts ?? [])
  expect(facts.map((fact) => fact.name)).toEqual([name, name, name])
  expect(facts.map((fact) => fact.value)).toEqual([output[0], output[2], output[5]])
  expect(trace.steps).toEqual([])
  await expectClean(trace, agent)
})

/** What a function tells of this machine, and cannot be changed for a test. */
const steady = [
  'hostname',
  'cpus',
  'totalmem',
  'loadavg',
  'networkInterfaces',
  'userInfo',
  'release',
  'version',
  'type',
  'platform',
  'arch',
  'machine',
  'availableParallelism',
] as const

it.each(steady)('gives what os.%s gave on another machine', async (name) => {
  const agent = async (): Promise<unknown> => (os[name] as () => unknown)()
  const { trace, output, text } = await recordRun(agent)
  const elsewhere = `told by ${name} elsewhere`
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; facts?: { name: string; value: unknown }[]; output?: unknown })
  const [fact] = lines.flatMap(({ facts = [] }) => facts)
  expect(fact?.name).toBe(`os.${name}`)
  if (fact !== undefined) fact.value = elsewhere
  const moved = decodeTrace(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, 'moved.jsonl', digest)
  const run = await replay(moved, agent)
  expect(run.outcome).toEqual({ status: 'returned', output: elsewhere })
  await expectClean(trace, agent)
  expect(output).not.toBe(elsewhere)
})

it('reads a text with a function in it', async () => {
  const agent = async (): Promise<string> => `on ${os.hostname as unknown as string}`
  const { trace, output } = await recordRun(agent)
  expect(output).toBe(`on ${os.hostname()}`)
  expect(rowsOf(trace, 'reads')).toMatchObject([{ facts: [{ name: 'os.hostname', value: os.hostname() }] }])
  await expectClean(trace, agent)
})

it('subtracts an earlier reading of the processor', async () => {
  const agent = async (): Promise<unknown> => {
    const before = process.cpuUsage()
    work()
    return [before, process.cpuUsage(before)]
  }
  const { trace, output } = await recordRun(agent)
  const [, { user, system }] = output as [unknown, NodeJS.CpuUsage]
  expect([user >= 0, system >= 0]).toEqual([true, true])
  await expectClean(trace, agent)
})

it('subtracts an earlier reading of the event loop', async () => {
  const agent = async (): Promise<unknown> => {
    const before = performance.eventLoopUtilization()
    work()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const after = performance.eventLoopUtilization()
    return [performance.eventLoopUtilization(before), performance.eventLoopUtilization(after, before)]
  }
  const { trace, output } = await recordRun(agent)
  const [, computed] = output as EventLoopUtilization[]
  expect(computed?.active).toBeGreaterThan(0)
  await expectClean(trace, agent)
})

it('leaves a wrong reading to Node', async () => {
  const agent = async (): Promise<unknown> => {
    try {
      return Reflect.apply(process.cpuUsage, process, [{ user: -1, system: 0 }])
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const outside = await agent()
  expect(outside).toBe('ERR_INVALID_ARG_VALUE')
  const { trace, output } = await recordRun(agent)
  expect(output).toBe(outside)
  await expectClean(trace, agent)
})

it('gives a read that is new the latest value, and shifts no other', async () => {
  const look = tool('look', {}, async () => 'seen')
  const { trace } = await recordRun(async () => {
    const first = process.memoryUsage().heapUsed
    await look()
    work()
    return [first, process.memoryUsage().heapUsed]
  })
  const recorded = (trace.end?.output as number[]) ?? []
  const run = await replay(trace, async () => {
    const first = process.memoryUsage().heapUsed
    const again = process.memoryUsage().heapUsed
    await look()
    expect(again).toBe(first)
    return [first, process.memoryUsage().heapUsed]
  })
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: recorded }])
})

it('reads this machine where the recording never asked', async () => {
  const { trace } = await recordRun(async () => 'done')
  let told = ''
  const run = await replay(trace, async () => {
    told = os.hostname()
    return 'done'
  })
  expect([run.divergences, told]).toEqual([[], os.hostname()])
})

it('keeps nothing of what is read outside of runs, and replays nothing there', async () => {
  const { trace } = await recordRun(async () => {
    await Promise.resolve()
    return 'done'
  })
  expect(os.hostname().length).toBeGreaterThan(0)
  expect(rowsOf(trace, 'reads')).toEqual([])
})

it('keeps the folders of this machine', async () => {
  const agent = async (): Promise<unknown> => [os.homedir(), os.tmpdir()]
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([os.homedir(), os.tmpdir()])
  expect(rowsOf(trace, 'reads')).toEqual([])
})

it('redacts what a rule finds', async () => {
  const version = os.version()
  const agent = async (): Promise<string> => os.version()
  const rule = { name: 'system', find: (text: string) => (text.includes(version) ? [version] : []) }
  const { trace, text } = await recordRun(agent, { recorder: { redact: { rules: [rule] } } })
  expect(text).not.toContain(version)
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
})
