import { differenceInterval, type Interval, type Tally } from '../statistics.ts'
import type { Verification } from './verification.ts'

/** How much more often samples of one verification pass than those of another. */
export interface VerificationDifference {
  /** The difference of the shares, from -1 to 1. */
  readonly difference: number
  /** 95 % interval of the difference, by Newcombe's hybrid score. */
  readonly interval: Interval
  /** `no difference shown`: the interval contains 0. */
  readonly verdict: 'better' | 'worse' | 'no difference shown'
}

/**
 * Compares two verifications of one golden: of new code, and of old code with the new one's `departure` as `departAt`. Run both with
 * `stopEarly: false`: samples that stop as soon as they decide are biased.
 */
export function compareVerifications(
  verification: Pick<Verification, 'passed' | 'failed'>,
  base: Pick<Verification, 'passed' | 'failed'>,
): VerificationDifference {
  const [ours, theirs] = [verification, base].map(({ passed, failed }) => ({ passed, total: passed + failed })) as [Tally, Tally]
  const interval = differenceInterval(ours, theirs)
  const shareOf = ({ passed, total }: Tally): number => (total === 0 ? 0 : passed / total)
  const verdict = interval.low > 0 ? 'better' : interval.high < 0 ? 'worse' : 'no difference shown'
  return { difference: shareOf(ours) - shareOf(theirs), interval, verdict }
}
