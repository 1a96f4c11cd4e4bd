import { setTimeout } from 'node:timers/promises'
import type { Trace } from 'goldenrun/replay'
import { useSource } from '../../use-source.ts'
import type { HeapSample, MemoryFigures } from './measure.ts'

// node --expose-gc --no-flush-bytecode program.ts <steps> <ten times as many> <replays>: prints MemoryFigures.
useSource()
const { replay } = await import('goldenrun/replay')
const { median } = await import('../../rounds.ts')
const { recordGolden } = await import('../record-golden.ts')
const { recordCalls } = await import('../record-calls.ts')
const { createStepsAgent } = await import('../steps-agent.ts')
const { startProvider } = await import('../../../examples/world/provider.ts')
const { createMixedAgent } = await import('./mixed-agent.ts')
const [shortSteps = 0, longSteps = 0, replayCount = 0] = process.argv.slice(2).map(Number)

/** After this many replays, compiled code, caches and the SDK's own first calls have settled. */
const WARM_UP = Math.min(1000, replayCount)

const SAMPLES = 3

const BATCH = Math.min(1000, replayCount)

// Replays come first: what the long goldens leave behind would look like a shrinking heap.
const replays = await measureReplays()
const figures: MemoryFigures = { perStep: await measureSteps(), replays }
console.log(JSON.stringify(figures))

async function measureSteps(): Promise<MemoryFigures['perStep']> {
  const short = await measureHeld(shortSteps)
  return { short, long: await measureHeld(longSteps) }
}

/** Returns the heap held when the agent has its last answer, before it returns. */
async function measureHeld(steps: number): Promise<number> {
  const golden = await recordCalls(steps)
  const agent = createStepsAgent()
  const held: number[] = []
  for (let sample = -1; sample < SAMPLES; sample += 1) {
    const before = await readHeap()
    let atEnd = Number.NaN
    await replay(golden, async (input: { steps: number; streaming: boolean }) => {
      const answers = await agent(input)
      atEnd = collect()
      return answers
    })
    // The first replay also fills the process's permanent caches.
    if (sample >= 0) held.push((atEnd - before) / steps)
  }
  return median(held)
}

async function measureReplays(): Promise<MemoryFigures['replays']> {
  const golden = await recordMixed()
  const agent = createMixedAgent()
  const replayTimes = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time += 1) {
      const { divergences } = await replay(golden, agent)
      if (divergences.length > 0) throw new Error(`A replay diverged: ${JSON.stringify(divergences[0])}`)
    }
    return await readHeap()
  }
  const samples: HeapSample[] = [{ replays: 0, bytes: await replayTimes(WARM_UP) }]
  for (let done = BATCH; done <= replayCount; done += BATCH) samples.push({ replays: done, bytes: await replayTimes(BATCH) })
  return samples
}

async function recordMixed(): Promise<Trace> {
  await using provider = await startProvider({ script: () => ({ text: 'Tomorrow at noon.' }), keepExchanges: false })
  return (await recordGolden({ input: {} }, createMixedAgent(provider.openaiBaseUrl))).trace
}

/** Returns the bytes in use after garbage collection. Finalizers, and what they free, take turns of the event loop. */
async function readHeap(): Promise<number> {
  for (let time = 0; time < 3; time += 1) {
    collect()
    await setTimeout(20)
  }
  return collect()
}

function collect(): number {
  if (globalThis.gc === undefined) throw new Error('Run this with --expose-gc.')
  // One collection runs finalizers, and the next one frees what they released.
  for (let time = 0; time < 3; time += 1) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
