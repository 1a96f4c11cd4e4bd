import { spawnSync } from 'node:child_process'
import type { Measured, Metric } from '../figures.ts'
import { median, upperBound } from '../rounds.ts'
import { ContestantProcess, type RoundTimes } from './contestant-process.ts'
import type { Sizes } from './sizes.ts'
import type { Workload } from './workload.ts'

/** The upper limits, relative to the whole process's time with no recording. */
const GOALS = { json: 1.3, sse: 1.4, '100k': 1.6 } as const

/** The number of calls in a run, and of concurrent runs. */
const CALLS = 5
const CONCURRENCY = 64

/** The processor that all threads of a contestant share, as in a small container. The provider may use another one. */
const CORE = 0

/** Measures what recording takes of a whole process with one processor: of the agents' thread, of the writing thread, and of V8's threads. */
export async function measureProcess(note: (line: string) => void, port: number, sizes: Sizes): Promise<Measured> {
  if (spawnSync('taskset', ['-c', String(CORE), 'true']).status !== 0) {
    return { metrics: {}, absences: { process_cpu: 'there is no taskset here that keeps a process on one processor' } }
  }
  const times = new Map<string, { readonly none: RoundTimes[]; readonly goldenrun: RoundTimes[] }>()
  for (let block = 0; block < sizes.blocks; block += 1) {
    note(`Measuring what recording takes of a process with one processor, ${block + 1} of ${sizes.blocks}.`)
    await using none = await ContestantProcess.start('none', { core: CORE })
    await using goldenrun = await ContestantProcess.start('goldenrun', { core: CORE })
    for (const [kind, calls] of Object.entries(sizes.calls) as [keyof typeof GOALS, number][]) {
      const workload: Workload = {
        kind,
        calls: CALLS,
        runs: Math.max(CONCURRENCY, Math.round(calls / CALLS)),
        arrival: { concurrency: CONCURRENCY },
      }
      const cell = times.get(kind) ?? { none: [], goldenrun: [] }
      times.set(kind, cell)
      for (let round = -2 * sizes.warmUp; round < sizes.rounds; round += 1) {
        const isFirst = round % 2 === 0
        const before = isFirst ? await none.measure(workload, port) : undefined
        const recorded = await goldenrun.measure(workload, port)
        const bare = before ?? (await none.measure(workload, port))
        if (round < 0) continue
        cell.none.push(bare)
        cell.goldenrun.push(recorded)
      }
    }
  }
  const metrics = Object.entries(GOALS).map(([kind, goal]) => [`process_cpu_${kind}`, toMetric(times.get(kind), goal)] as const)
  return { metrics: Object.fromEntries(metrics), absences: {} }
}

function toMetric({ none, goldenrun } = { none: [] as RoundTimes[], goldenrun: [] as RoundTimes[] }, goal: number): Metric {
  const ratio = (of: (times: RoundTimes) => number): number[] =>
    goldenrun.map((recorded, index) => {
      const bare = none[index]
      return bare === undefined ? Number.NaN : of(recorded) / of(bare)
    })
  const all = ratio((times) => times.all)
  const main = median(ratio((times) => times.main))
  return {
    value: median(all),
    unit: 'x',
    goal,
    bound: upperBound(all),
    against:
      `all threads of a process with one processor, no recording, ${CONCURRENCY} runs at a time; main thread alone ${main.toFixed(2)}; ` +
      `the median of ${all.length} paired rounds is below ${upperBound(all).toFixed(3)} with 95 %`,
  }
}
