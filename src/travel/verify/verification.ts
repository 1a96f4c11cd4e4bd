import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import type { Spent } from '../budget.ts'
import { type Interval, passPower, wilsonInterval } from '../statistics.ts'

/** Whether a fix holds: the samples show it, refute it, or do neither. */
export type VerifyVerdict = 'held' | 'not held' | 'undecided'

/** The result of a sample. `undecided`: a call was refused or the provider failed, so it shows nothing about the fix. */
export type SampleResult = 'passed' | 'failed' | 'undecided'

/** One run of the agent with live models. */
export interface VerifySample<Run = ReplayedRun> {
  readonly run: Run
  readonly result: SampleResult
  /** Why it did not pass, in a sentence; equal for samples with the same failure. Absent if it passed. */
  readonly cause?: string
}

/** Samples that did not pass for the same cause. */
export interface VerifyCause {
  readonly cause: string
  readonly result: Exclude<SampleResult, 'passed'>
  /** The number of samples. */
  readonly samples: number
}

/** Whether a fix holds, with the evidence. */
export interface Verification<Run = ReplayedRun> {
  /** The golden's name, or the recording's id. */
  readonly name: string
  readonly verdict: VerifyVerdict
  /** The share of samples that has to pass. */
  readonly atLeast: number
  /** The recorded step where the agent first does something else. Absent if it does the same as in the recorded run. */
  readonly departure?: number
  /** The samples in the order of their seeds, up to the deciding one. */
  readonly samples: readonly VerifySample<Run>[]
  readonly passed: number
  readonly failed: number
  readonly undecided: number
  /** The share that passed, of the samples that passed or failed. 0 if there are none. */
  readonly share: number
  /** 95 % interval of that share, by Wilson's score. */
  readonly interval: Interval
  /** pass^k: the estimated probability that k new samples all pass, for k = 1, 2, 4, 8 and so on. */
  readonly passPower: readonly { readonly k: number; readonly probability: number }[]
  /** The causes for which samples did not pass, the most frequent first. */
  readonly causes: readonly VerifyCause[]
  /** The usage of live calls. */
  readonly spent: Spent
  /** The limit of the budget that was reached, in words. Absent if none was. */
  readonly usedUp?: string
}

/** The fields of a verification that are known before its samples are counted. */
type Known = Pick<Verification, 'name' | 'verdict' | 'atLeast' | 'departure' | 'samples' | 'spent' | 'usedUp'>

/** Counts samples. */
export function toVerification(known: Known): Verification {
  const { samples } = known
  const countOf = (wanted: SampleResult): number => samples.filter(({ result }) => result === wanted).length
  const [passed, failed, undecided] = [countOf('passed'), countOf('failed'), countOf('undecided')]
  const total = passed + failed
  return {
    ...known,
    passed,
    failed,
    undecided,
    share: total === 0 ? 0 : passed / total,
    interval: wilsonInterval(passed, total),
    passPower: powersUpTo(total).map((k) => ({ k, probability: passPower(passed, total, k) })),
    causes: causesOf(samples),
  }
}

/** 1, 2, 4, 8, … */
function powersUpTo(total: number): number[] {
  const powers: number[] = []
  for (let k = 1; k <= total; k *= 2) powers.push(k)
  return powers
}

function causesOf(samples: readonly VerifySample[]): VerifyCause[] {
  const red = samples.flatMap(({ result, cause = '' }) => (result === 'passed' ? [] : [{ result, cause }]))
  return [...Map.groupBy(red, ({ result, cause }) => `${result} ${cause}`).values()]
    .flatMap((same) => same.slice(0, 1).map((first) => ({ ...first, samples: same.length })))
    .toSorted((one, other) => other.samples - one.samples)
}
