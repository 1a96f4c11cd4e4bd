import type { Metric } from '../figures.ts'
import { median } from '../rounds.ts'
import { contestants, type Name } from './contestants.ts'
import type { Sizes } from './sizes.ts'
import { work, type Workload } from './workload.ts'

/** Those that take part in every round, those that are only measured beside, and of these the ones that have to be installed. */
const FIRST: readonly Name[] = ['none', 'goldenrun', 'hook']
const OTHERS: readonly Name[] = ['tee']
const INSTALLED: readonly Name[] = ['interceptors', 'aiSdk', 'otel']

/** What each is held against, where that is not the same calls with nothing. */
const BASES: Partial<Readonly<Record<Name, Name>>> = { otel: 'aiSdk' }

/** What there is to say of some. */
const WORDS: Partial<Readonly<Record<Name, string>>> = {
  none: 'no recording',
  aiSdk: 'the AI SDK without telemetry',
}

/** At most so much of the main thread's time with no recording. */
const GOAL = 1.15

/**
 * What recording takes of the thread that the agents run on, and of the process.
 *
 * @param isInstalled Whether there is what has to be installed to be measured beside it.
 */
export async function measureCpu(
  note: (line: string) => void,
  port: number,
  sizes: Sizes,
  isInstalled: boolean,
): Promise<Record<string, Metric>> {
  const names = [...FIRST, ...OTHERS, ...(isInstalled ? INSTALLED : [])]
  const metrics: Record<string, Metric> = {}
  for (const [kind, calls] of Object.entries(sizes.calls) as [Workload['kind'], number][]) {
    for (const concurrency of [1, 64]) {
      note(`Measuring ${kind}, ${concurrency} at a time.`)
      const runs = Math.max(1, Math.round(calls / 5), concurrency)
      const times = await measureThreads(names, { kind, calls: 5, runs, concurrency }, port, sizes)
      const perCall = (all: readonly number[]): string => `${((median(all) / (5 * runs)) * 1000).toFixed(0)} µs`
      for (const name of names) {
        const base = BASES[name] ?? 'none'
        if (name === 'none' || name === 'aiSdk') continue
        const [own, bare] = [times[name], times[base]]
        // Of the rounds in which both took part.
        const ratios = [...own.keys()].map((round) => (own.get(round)?.main ?? Number.NaN) / (bare.get(round)?.main ?? Number.NaN))
        const paired = [...own.keys()].flatMap((round) => bare.get(round) ?? [])
        metrics[`${name === 'goldenrun' ? '' : `${name}_`}cpu_${kind}_c${concurrency}`] = {
          value: median(ratios),
          unit: 'x',
          against:
            `main thread, ${WORDS[base]}: ${perCall([...own.values()].map(({ main }) => main))} a call against ${perCall(paired.map(({ main }) => main))}; ` +
            `the median of ${ratios.length} paired rounds is below ${upperBound(ratios).toFixed(3)} with 95 %; ` +
            `whole process ${perCall([...own.values()].map(({ all }) => all))} against ${perCall(paired.map(({ all }) => all))}`,
          ...(name === 'goldenrun' ? { goal: GOAL } : {}),
        }
      }
    }
  }
  return metrics
}

interface ThreadTimes {
  /** Of the main thread, in milliseconds. */
  readonly main: number
  /** Of all threads, until everything is written. */
  readonly all: number
}

/** By round. */
type Rounds = Map<number, ThreadTimes>

async function measureThreads(
  names: readonly Name[],
  workload: Workload,
  port: number,
  { rounds, warmUp, othersEvery }: Sizes,
): Promise<Readonly<Record<Name, Rounds>>> {
  const times = Object.fromEntries(names.map((name) => [name, new Map()])) as unknown as Record<Name, Rounds>
  for (let round = -warmUp; round < rounds; round += 1) {
    const present = round % othersEvery === 0 || round === -1 ? names : FIRST
    const first = (round + warmUp) % present.length
    for (const name of [...present.slice(first), ...present.slice(0, first)]) {
      const { surround, ask, close } = await contestants[name]()
      globalThis.gc?.()
      const main = process.threadCpuUsage()
      const all = process.cpuUsage()
      await work(workload, port, surround, ask)
      const { user, system } = process.threadCpuUsage(main)
      await close()
      const whole = process.cpuUsage(all)
      if (round >= 0) times[name].set(round, { main: (user + system) / 1000, all: (whole.user + whole.system) / 1000 })
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
