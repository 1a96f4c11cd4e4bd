import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import { canonical } from '../trace/hash.ts'
import { toRecorded } from '../trace/values.ts'
import type { Budget, Spent } from './budget.ts'
import { type Interval, wilsonInterval } from './statistics.ts'

/** The number of forks of one moment, and how many run at once. */
export interface SampleOptions {
  /** The number of forks. Each has its own ids and random values. */
  readonly samples: number
  /** How many forks run at once. Default: 8. */
  readonly concurrency?: number | undefined
}

/** Several forks of one moment. */
export interface ForkSamples<Run = ReplayedRun> {
  /** In the order of their seeds. Fewer than requested if the budget was used up. */
  readonly runs: readonly Run[]
  /** Their outcomes, the most frequent first. */
  readonly outcomes: readonly OutcomeGroup<Run>[]
  /** The usage of live calls. */
  readonly spent: Spent
  /** The limit of the budget that was reached, in words. Absent if none was. */
  readonly usedUp?: string
}

/** Forks with the same outcome. */
export interface OutcomeGroup<Run = ReplayedRun> {
  readonly runs: readonly Run[]
  /** Their share of all forks. */
  readonly share: number
  /** 95 % interval of that share, by Wilson's score. */
  readonly interval: Interval
}

/** Makes forks, a limited number at once, until the budget is used up. */
export async function takeSamples(
  { samples, concurrency = 8 }: SampleOptions,
  budget: Budget,
  make: (sample: number) => Promise<ReplayedRun>,
): Promise<ForkSamples> {
  const made: ReplayedRun[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < samples && budget.usedUp === undefined) {
      const sample = next
      next += 1
      made[sample] = await make(sample)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, samples) }, work))
  const runs = made.filter((run) => run !== undefined)
  const { spent, usedUp } = budget
  return { runs, outcomes: groupByOutcome(runs), spent, ...(usedUp !== undefined && { usedUp }) }
}

/** @throws OptionsError if they are not whole numbers of at least 1. */
export function checkSamples(caller: string, { samples, concurrency }: Partial<SampleOptions>): void {
  for (const [option, value] of Object.entries({ samples, concurrency })) {
    if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 1)) continue
    throw new OptionsError(caller, option, `has to be a whole number of 1 or more, got ${JSON.stringify(value)}.`)
  }
}

function groupByOutcome(runs: readonly ReplayedRun[]): OutcomeGroup[] {
  return [...Map.groupBy(runs, keyOf).values()]
    .toSorted((one, other) => other.length - one.length)
    .map((same) => ({ runs: same, share: same.length / runs.length, interval: wilsonInterval(same.length, runs.length) }))
}

/** Returns the parts of an outcome that count: what was returned, how it failed, where and why it was stopped. */
function keyOf({ outcome }: ReplayedRun): string {
  switch (outcome.status) {
    case 'returned':
      return `returned ${canonical(toRecorded(outcome.output, () => undefined))}`
    case 'threw':
      return `threw ${outcome.error instanceof Error ? `${outcome.error.name}: ${outcome.error.message}` : String(outcome.error)}`
    case 'stopped':
      return `stopped ${outcome.divergence.cause} ${outcome.divergence.name} ${outcome.divergence.reason}`
    case 'in-flight':
      return outcome.status
  }
}
