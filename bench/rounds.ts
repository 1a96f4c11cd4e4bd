import { performance } from 'node:perf_hooks'

/** How contestants are measured against each other. */
export interface RoundsOptions {
  readonly rounds: number
  /** Warm-up rounds, which are not counted. */
  readonly warmUp: number
  /** No round starts after this much time, once `FEWEST_ROUNDS` are done: a busy machine gets fewer rounds, not a longer bench. */
  readonly seconds: number
}

/** One contestant's time in each round, in milliseconds. */
export interface Times {
  /** Wall-clock time. On a busy machine it includes the work of others. */
  readonly wall: readonly number[]
  /** CPU time of all threads of this process. Excludes waiting. */
  readonly cpu: readonly number[]
  /** CPU time of this thread. */
  readonly threadCpu: readonly number[]
}

const FEWEST_ROUNDS = 5

/**
 * Measures contestants side by side: each runs once per round, and the first one changes from round to round, so that interference by the
 * machine affects all of them alike.
 */
export async function measureRounds<Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<void>>>,
  { rounds, warmUp, seconds }: RoundsOptions,
): Promise<Readonly<Record<Name, Times>>> {
  const names = Object.keys(contestants) as Name[]
  const noTimes = (): { wall: number[]; cpu: number[]; threadCpu: number[] } => ({ wall: [], cpu: [], threadCpu: [] })
  const times = Object.fromEntries(names.map((name) => [name, noTimes()])) as Record<Name, ReturnType<typeof noTimes>>
  const end = performance.now() + seconds * 1000
  for (let round = -warmUp; round < rounds && (round < FEWEST_ROUNDS || performance.now() < end); round += 1) {
    const first = (round + warmUp) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const cpu = process.cpuUsage()
      const thread = process.threadCpuUsage()
      const started = performance.now()
      await contestants[name]()
      const wall = performance.now() - started
      const { user, system } = process.cpuUsage(cpu)
      const ofThread = process.threadCpuUsage(thread)
      if (round < 0) continue
      times[name].wall.push(wall)
      times[name].cpu.push((user + system) / 1000)
      times[name].threadCpu.push((ofThread.user + ofThread.system) / 1000)
    }
  }
  return times
}

/** Returns the median over the rounds of one contestant's time divided by another's in the same round. */
export function medianRatio(times: readonly number[], against: readonly number[]): number {
  return median(times.map((time, round) => time / (against[round] ?? Number.NaN)))
}

/** Returns the middle value, or the mean of the two in the middle. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Returns an upper bound of the median with 95 % confidence, from the order statistics of a sample: assumes no distribution. */
export function upperBound(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const index = Math.ceil(sorted.length / 2 + (1.645 * Math.sqrt(sorted.length)) / 2)
  return sorted[Math.min(index, sorted.length - 1)] ?? Number.NaN
}
