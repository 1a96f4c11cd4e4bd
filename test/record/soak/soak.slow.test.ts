import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { busyAgent, type BusyInput } from './busy-agent.ts'
import { faultsOf, growthOver, readTraces, soak } from './soak.ts'

it('keeps sixty-four runs at once apart and whole, and each replays without divergence', async () => {
  await using directory = await createTemporaryDirectory()
  const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
  const size = { runs: 128, steps: 14, concurrency: 64, seed }
  const { stats } = await soak(directory.path, size)
  expect(stats, `seed ${seed}`).toEqual({
    begun: 128,
    recorded: 128,
    writing: 0,
    lost: 0,
    watching: 0,
    active: 0,
    failed: 0,
    flagged: 0,
    sampledOut: 0,
    cut: 0,
    unindexed: 0,
    muted: 0,
    waitingBytes: 0,
  })
  const numbers: number[] = []
  for await (const trace of readTraces(directory.path)) {
    const { number } = trace.header.input as BusyInput
    numbers.push(number)
    expect(faultsOf(trace, size.steps), `seed ${seed}`).toEqual([])
    const run = await replay(trace, busyAgent, { context: { url: 'http://127.0.0.1:8080', steps: size.steps } })
    expect([run.divergences, run.hash, run.outcome], `seed ${seed}, run ${number}`).toEqual([
      [],
      trace.hash,
      { status: 'returned', output: trace.end?.output },
    ])
  }
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 128 }, (_, number) => number))
}, 120_000)

it('notices a row of another run, and one that is missing', async () => {
  await using directory = await createTemporaryDirectory()
  await soak(directory.path, { runs: 2, steps: 5, concurrency: 2, seed: 'a' })
  const traces: Trace[] = []
  for await (const trace of readTraces(directory.path)) traces.push(trace)
  const [one, other] = traces
  if (one === undefined || other === undefined) throw new Error('There are no two recordings.')
  expect(faultsOf({ ...one, rows: [...one.rows, ...other.rows.slice(-2)] }, 5).length).toBe(1)
  expect(faultsOf({ ...one, steps: one.steps.slice(1) }, 5).length).toBe(1)
  expect(faultsOf(one, 6).length).toBe(2)
})

it('tells growth from noise', () => {
  const sample = (runs: number, heap: number): Parameters<typeof growthOver>[0][number] => ({ runs, heap, resident: 0 })
  expect(growthOver([sample(1, 10), sample(2, 12), sample(3, 10), sample(4, 12), sample(5, 10)], 'heap')).toBe(0)
  expect(growthOver([sample(10, 100), sample(20, 300), sample(30, 500)], 'heap')).toBeCloseTo(400)
})
