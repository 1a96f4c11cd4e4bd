import { performance } from 'node:perf_hooks'

/** How contestants are measured against each other. */
export interface RoundsOptions {
  readonly rounds: number
  /** Rounds before, which are not counted. */
  readonly warmUp: number
}

/** For each contestant, what each round took it, in milliseconds. */
export type Times<Name extends string> = Readonly<Record<Name, readonly number[]>>

/**
 * Measures contestants side by side: in each round each of them runs once, and who begins changes from round to round, so that what the
 * machine does meanwhile befalls all of them alike.
 */
export async function measureRounds<Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<void>>>,
  { rounds, warmUp }: RoundsOptions,
): Promise<Times<Name>> {
  const names = Object.keys(contestants) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const started = performance.now()
      await contestants[name]()
      const took = performance.now() - started
      if (round >= 0) times[name].push(took)
    }
  }
  return times
}

/** The median over the rounds of one contestant's time divided by another's in the same round. */
export function medianRatio(times: readonly number[], against: readonly number[]): number {
  return median(times.map((time, round) => time / (against[round] ?? Number.NaN)))
}

/** The middle value, or the mean of the two in the middle. NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
