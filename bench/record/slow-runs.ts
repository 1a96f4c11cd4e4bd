import type { Metric } from '../figures.ts'
import { median, upperBound } from '../rounds.ts'
import { ContestantProcess } from './contestant-process.ts'
import type { Sizes } from './sizes.ts'
import type { Workload } from './workload.ts'

/** How runs arrive: as at a server, with about 16 in progress, or all starting at the same instant. */
const ARRIVALS = { asTheyCome: { everyMs: 40 }, burst: { concurrency: 16 } } as const

/** Processes are restarted after this many blocks. */
const BLOCKS_A_PROCESS = 4

/** Measures how much longer the slowest runs take when a model takes its 200 ms. */
export async function measureSlowRuns(
  note: (line: string) => void,
  port: number,
  { slowBlocks, slowRuns }: Sizes,
): Promise<Record<string, Metric>> {
  const runs = slowBlocks * slowRuns
  note(`Measuring ${runs} runs of three slow calls as they come, and ${runs} in bursts, with and without.`)
  const asTheyCome: Block[] = []
  const bursts: Block[] = []
  for (let first = 0; first < slowBlocks; first += BLOCKS_A_PROCESS) {
    await using none = await ContestantProcess.start('none')
    await using goldenrun = await ContestantProcess.start('goldenrun')
    const measure = async (arrival: Workload['arrival'], index: number): Promise<Block> => {
      const timesOf = async (contestant: ContestantProcess): Promise<readonly number[]> =>
        (await contestant.measure({ kind: 'slow', calls: 3, runs: slowRuns, arrival }, port)).runs
      // The order alternates, so that interference by the machine affects both alike.
      if (index % 2 === 0) return { own: await timesOf(goldenrun), bare: await timesOf(none) }
      const bare = await timesOf(none)
      return { own: await timesOf(goldenrun), bare }
    }
    // The first runs open connections and are compiled.
    for (const arrival of Object.values(ARRIVALS)) await measure(arrival, 0)
    for (let index = first; index < Math.min(first + BLOCKS_A_PROCESS, slowBlocks); index += 1) {
      asTheyCome.push(await measure(ARRIVALS.asTheyCome, index))
      bursts.push(await measure(ARRIVALS.burst, index))
    }
  }
  return {
    run_p99_overhead_percent: {
      ...toMetric(asTheyCome, `one every ${ARRIVALS.asTheyCome.everyMs} ms on average, as they come to a server`),
      goal: 1,
    },
    burst_p99_overhead_percent: toMetric(bursts, `${ARRIVALS.burst.concurrency} beginning at the same instant`),
  }
}

function toMetric(blocks: readonly Block[], how: string): Metric {
  const overheads = blocks.map(({ own, bare }) => (at(own, 0.99) / at(bare, 0.99) - 1) * 100)
  const of = (times: 'own' | 'bare', share: number): string => median(blocks.map((block) => at(block[times], share))).toFixed(1)
  return {
    value: median(overheads),
    unit: '%',
    against:
      `no recording, p99 of ${blocks[0]?.own.length ?? 0} runs, ${how}: ${of('own', 0.99)} ms against ${of('bare', 0.99)} ms; ` +
      `the median of ${overheads.length} paired blocks is below ${upperBound(overheads).toFixed(1)} % with 95 %; median run ${of('own', 0.5)} against ${of('bare', 0.5)} ms`,
  }
}

/** Durations of runs in milliseconds, with recording and without, measured one after the other. */
interface Block {
  readonly own: readonly number[]
  readonly bare: readonly number[]
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
