import { replay, type Trace } from 'goldenrun/replay'
import type { Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import { recordCalls } from './record-calls.ts'
import { createStepsAgent } from './steps-agent.ts'

const SHORT = 300

const LONG = 3000

const ROUNDS = { rounds: 9, warmUp: 2, seconds: 20 }

/** Linear within a fifth. */
const GOAL = 1.2

/** Whether a byte that the agent sends costs more in a long run than in a short one; every body is as long as the others. */
export async function measureGrowth(note: (line: string) => void): Promise<Metrics> {
  note(`Recording ${SHORT} and ${LONG} model calls with bodies of one size.`)
  const short = await recordCalls(SHORT)
  const long = await recordCalls(LONG)
  const sent = { short: sentBytes(short), long: sentBytes(long) }
  note(`Measuring up to ${ROUNDS.rounds} interleaved rounds: ${LONG / SHORT} short replays, one long one.`)
  const times = await measureRounds(
    {
      short: async () => {
        for (let time = 0; time < LONG / SHORT; time += 1) await replayClean(short)
      },
      long: () => replayClean(long),
    },
    ROUNDS,
  )
  const bytes = sent.long / ((sent.short * LONG) / SHORT)
  const perByte = (long_: readonly number[]): string => `${((median(long_) * 1e6) / sent.long).toFixed(0)} ns`
  return {
    growth_3000_over_300: {
      value: medianRatio(times.long.cpu, times.short.cpu) / bytes,
      unit: 'x',
      against:
        `CPU time per byte sent, ${LONG} steps against ${SHORT}: ${perByte(times.long.cpu)} against ${perByte(times.short.cpu)}; ` +
        `${(medianRatio(times.long.wall, times.short.wall) / bytes).toFixed(2)} x on the wall`,
      goal: GOAL,
    },
  }
}

async function replayClean(golden: Trace): Promise<void> {
  const { divergences } = await replay(golden, createStepsAgent())
  if (divergences.length > 0) throw new Error(`The replay that is measured diverged: ${JSON.stringify(divergences[0])}`)
}

/** Bytes of the request bodies. */
function sentBytes({ steps }: Trace): number {
  return steps.reduce((sum, { input }) => sum + Buffer.byteLength(JSON.stringify((input as { json?: unknown }).json)), 0)
}
