import type { Metric } from '../figures.ts'
import { contestants } from './contestants.ts'
import type { Sizes } from './sizes.ts'
import { work } from './workload.ts'

/** How much longer the slowest runs take, where a model takes its 200 ms. */
export async function measureSlowRuns(note: (line: string) => void, port: number, { slowRuns }: Sizes): Promise<Record<string, Metric>> {
  note(`Measuring ${slowRuns} runs of three slow calls, with and without.`)
  const times: Record<'none' | 'goldenrun', number[]> = { none: [], goldenrun: [] }
  // In turns: what the machine does meanwhile befalls both.
  for (let part = 0; part < 10; part += 1) {
    for (const name of part % 2 === 0 ? (['none', 'goldenrun'] as const) : (['goldenrun', 'none'] as const)) {
      const { surround, close } = await contestants[name]()
      times[name].push(...(await work({ kind: 'slow', calls: 3, runs: slowRuns / 10, concurrency: 16 }, port, surround)))
      await close()
    }
  }
  const [p99, p99None] = [at(times.goldenrun, 0.99), at(times.none, 0.99)]
  const [half, halfNone] = [at(times.goldenrun, 0.5), at(times.none, 0.5)]
  return {
    run_p99_overhead_percent: {
      value: (p99 / p99None - 1) * 100,
      unit: '%',
      goal: 1,
      against: `no recording, p99 of ${slowRuns} runs, 16 at a time: ${p99.toFixed(1)} ms against ${p99None.toFixed(1)} ms (median ${half.toFixed(1)} against ${halfNone.toFixed(1)})`,
    },
  }
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
