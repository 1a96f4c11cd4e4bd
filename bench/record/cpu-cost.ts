import type { Metric } from '../figures.ts'
import { median, medianRatio } from '../rounds.ts'
import { contestants } from './contestants.ts'
import type { Sizes } from './sizes.ts'
import { work, type Workload } from './workload.ts'

type Name = keyof typeof contestants

const names = Object.keys(contestants) as Name[]

/** At most so much of the main thread's time with no recording. */
const GOAL = 1.15

/** What recording takes of the thread that the agents run on, and of the process. */
export async function measureCpu(note: (line: string) => void, port: number, sizes: Sizes): Promise<Record<string, Metric>> {
  const metrics: Record<string, Metric> = {}
  for (const [kind, calls] of Object.entries(sizes.calls) as [Workload['kind'], number][]) {
    for (const concurrency of [1, 64]) {
      note(`Measuring ${kind}, ${concurrency} at a time.`)
      const runs = Math.max(1, Math.round(calls / 5))
      const times = await measureThreads({ kind, calls: 5, runs: Math.max(runs, concurrency === 1 ? 1 : 64), concurrency }, port, sizes)
      for (const name of names) {
        if (name === 'none') continue
        const ratios = times[name].main.map((time, round) => time / (times.none.main[round] ?? Number.NaN))
        const metric = `${name === 'goldenrun' ? '' : `${name}_`}cpu_${kind}_c${concurrency}`
        const perCall = (all: readonly number[]): string =>
          `${((median(all) / (5 * Math.max(runs, concurrency === 1 ? 1 : 64))) * 1000).toFixed(0)} µs`
        metrics[metric] = {
          value: medianRatio(times[name].main, times.none.main),
          unit: 'x',
          against:
            `main thread, no recording: ${perCall(times[name].main)} a call against ${perCall(times.none.main)}; ` +
            `the median of ${ratios.length} paired rounds is below ${upperBound(ratios).toFixed(3)} with 95 %; whole process ${perCall(times[name].all)} against ${perCall(times.none.all)}`,
          ...(name === 'goldenrun' ? { goal: GOAL } : {}),
        }
      }
    }
  }
  return metrics
}

interface ThreadTimes {
  /** Of the main thread, in milliseconds. */
  readonly main: number[]
  /** Of all threads, until everything is written. */
  readonly all: number[]
}

async function measureThreads(workload: Workload, port: number, { rounds, warmUp }: Sizes): Promise<Readonly<Record<Name, ThreadTimes>>> {
  const times = Object.fromEntries(names.map((name) => [name, { main: [], all: [] }])) as unknown as Record<Name, ThreadTimes>
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const { surround, close } = await contestants[name]()
      globalThis.gc?.()
      const main = process.threadCpuUsage()
      const all = process.cpuUsage()
      await work(workload, port, surround)
      const { user, system } = process.threadCpuUsage(main)
      await close()
      const whole = process.cpuUsage(all)
      if (round < 0) continue
      times[name].main.push((user + system) / 1000)
      times[name].all.push((whole.user + whole.system) / 1000)
    }
  }
  return times
}

/** What the median is below with 95 % confidence, by the order statistics of a sample: no shape is taken for granted. */
function upperBound(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const index = Math.ceil(sorted.length / 2 + (1.645 * Math.sqrt(sorted.length)) / 2)
  return sorted[Math.min(index, sorted.length - 1)] ?? Number.NaN
}
