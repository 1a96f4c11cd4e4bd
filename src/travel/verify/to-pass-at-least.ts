import type { MatchResult } from '../../matchers/matcher-types.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'
import { decide } from './decide.ts'
import { describeVerification } from './describe-verification.ts'
import type { Verification } from './verification.ts'

/** The matchers for a verification, or a promise of one. */
export interface VerificationMatchers<Result> {
  /**
   * Passes if at least this share of samples passes, by the sequential test. Fails if the samples do not decide, even if negated.
   *
   * @param share Above 0 and at most 1. Default: the `atLeast` of the verification. If you want another share, also pass it to `verify` as `atLeast`.
   *
   * @example
   * expect(await verify('refund-twice', supportAgent)).toPassAtLeast(0.9)
   */
  toPassAtLeast(share?: number): Result
}

/** Checks that at least this share of samples passes. */
export function toPassAtLeast(isNot: boolean, received: unknown, share?: number): MatchResult {
  if (!isVerification(received)) throw new OptionsError('toPassAtLeast', 'verification', 'has to be the result of `verify`.')
  const atLeast = share ?? received.atLeast
  if (!(atLeast > 0 && atLeast <= 1))
    throw new OptionsError('toPassAtLeast', 'share', `has to be a number above 0 and at most 1, got ${atLeast}.`)
  // Without a departure there is only one sample, which stands for all: its verdict counts.
  const verdict =
    received.departure === undefined || atLeast === received.atLeast ? received.verdict : decide(received.samples, { atLeast }).verdict
  const message = (): string =>
    [
      `Expected ${isNot ? 'fewer than' : 'at least'} ${Math.round(atLeast * 100)} % of the samples of "${received.name}" to pass: ${verdict}.`,
      '',
      ...describeVerification(received),
      ...(verdict === 'undecided' ? ['', whyUndecided(received, atLeast)] : []),
    ].join('\n')
  return { pass: verdict === 'undecided' ? isNot : verdict === 'held', message }
}

function whyUndecided({ atLeast: taken, undecided, samples }: Verification, atLeast: number): string {
  if (taken !== atLeast)
    return `Sampling was set up to decide about ${Math.round(taken * 100)} %, and stopped once it had. To decide about this share: verify(…, { atLeast: ${atLeast} }).`
  return undecided > samples.length / 2 ? 'Too few samples could be judged.' : 'More samples are needed: verify(…, { samples: … }).'
}

function isVerification(value: unknown): value is Verification {
  return typeof value === 'object' && value !== null && 'verdict' in value && 'passPower' in value && 'samples' in value
}
