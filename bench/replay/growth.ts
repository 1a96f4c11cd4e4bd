import { replay, type Trace } from 'goldenrun/replay'
import type { Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import { recordCalls } from './record-calls.ts'
import type { Sizes } from './sizes.ts'
import { createStepsAgent } from './steps-agent.ts'

/** Linear within 20 %. */
const GOAL = 1.2

/** Measures whether a byte that the agent sends costs more in a long run than in a short one. All bodies have the same length. */
export async function measureGrowth(note: (line: string) => void, sizes: Sizes): Promise<Metrics> {
  const longer = sizes.long / sizes.short
  note(`Recording ${sizes.short} and ${sizes.long} model calls with bodies of one size.`)
  const short = await recordCalls(sizes.short)
  const long = await recordCalls(sizes.long)
  const sent = { short: sentBytes(short), long: sentBytes(long) }
  note(`Measuring up to ${sizes.growthRounds.rounds} interleaved rounds: ${longer} short replays, one long one.`)
  const times = await measureRounds(
    {
      short: async () => {
        for (let time = 0; time < longer; time += 1) await replayClean(short)
      },
      long: () => replayClean(long),
    },
    sizes.growthRounds,
  )
  const bytes = sent.long / (sent.short * longer)
  const perByte = (long_: readonly number[]): string => `${((median(long_) * 1e6) / sent.long).toFixed(0)} ns`
  return {
    growth_3000_over_300: {
      value: medianRatio(times.long.cpu, times.short.cpu) / bytes,
      unit: 'x',
      against:
        `CPU time per byte sent, ${sizes.long} steps against ${sizes.short}: ${perByte(times.long.cpu)} against ${perByte(times.short.cpu)}; ` +
        `${(medianRatio(times.long.wall, times.short.wall) / bytes).toFixed(2)} x on the wall`,
      goal: GOAL,
    },
  }
}

async function replayClean(golden: Trace): Promise<void> {
  const { divergences } = await replay(golden, createStepsAgent())
  if (divergences.length > 0) throw new Error(`The measured replay diverged: ${JSON.stringify(divergences[0])}`)
}

/** Returns the total size of the request bodies. */
function sentBytes({ steps }: Trace): number {
  return steps.reduce((sum, { input }) => sum + Buffer.byteLength(JSON.stringify((input as { json?: unknown }).json)), 0)
}
