import type { VerificationDifference } from '../../travel/verify/compare-verifications.ts'
import { describeVerification, type VerificationSummary } from '../../travel/verify/describe-verification.ts'
import { isKeyMissing } from '../../travel/outgoing.ts'
import { COULD_NOT_RUN, DIVERGED, HELD } from '../exit-status.ts'
import { omitUndefined } from '../../trace/json.ts'
import { printable } from '../../trace/printable.ts'
import type { VerifiedTrace } from './verify-traces.ts'

/** The result of verifying a trace. */
export interface VerifyResult extends VerifiedTrace {
  /** In CI: no model could be called, because the environment has no API key. */
  readonly isSkipped: boolean
  /** The file of the golden as which a sample was kept. */
  readonly accepted?: string
  /** The pages of its samples, in their order, if they were requested. */
  readonly pages?: readonly string[]
  /** The result with the code to compare with. */
  readonly base?: BaseResult
}

/** The result with the code to compare with, from the same step on. */
export interface BaseResult extends Partial<VerificationDifference> {
  readonly ref: string
  readonly verification?: VerificationSummary
  /** Why it could not be verified. */
  readonly message?: string
}

type VerifyWord = 'held' | 'not held' | 'undecided' | 'skipped' | 'could not run'

/** Whether the verdict is undecided because the environment has no API key. */
export function isWithoutKey({ verification }: VerifiedTrace): boolean {
  if (verification?.verdict !== 'undecided') return false
  return verification.passed + verification.failed === 0 && verification.causes.every(({ cause }) => isKeyMissing(cause))
}

/** Returns the exit status. */
export function statusOf(results: readonly VerifyResult[]): number {
  const words = results.map(wordOf)
  if (words.includes('not held')) return DIVERGED
  if (results.some(({ base }) => base !== undefined && base.verification === undefined)) return COULD_NOT_RUN
  return words.every((word) => word === 'held' || word === 'skipped') ? HELD : COULD_NOT_RUN
}

/** Formats the results as text. */
export function toText(results: readonly VerifyResult[]): string {
  return results.map((result) => blockOf(result).join('\n')).join('\n\n')
}

/** Formats the results as JSON. */
export function toJson(results: readonly VerifyResult[]): object {
  return {
    results: results.map((result) => {
      const { name, file, verification, message, accepted, pages = [], base } = result
      const { samples = [], ...summary } = verification ?? {}
      return {
        status: wordOf(result),
        name,
        ...(file !== undefined && { file }),
        ...summary,
        ...(verification !== undefined && {
          samples: samples.map(({ result: word, cause }, index) => ({ result: word, ...omitUndefined({ cause, page: pages[index] }) })),
        }),
        ...(message !== undefined && { message }),
        ...(accepted !== undefined && { accepted }),
        ...(base !== undefined && { base }),
      }
    }),
  }
}

function wordOf({ verification, isSkipped }: VerifyResult): VerifyWord {
  if (verification === undefined) return 'could not run'
  return isSkipped ? 'skipped' : verification.verdict
}

function blockOf(result: VerifyResult): string[] {
  const { name, verification, message = '', accepted, pages = [], base } = result
  const word = wordOf(result)
  const title = `${printable(name)}: ${word}`
  if (verification === undefined) return [title, `  ${printable(message)}`]
  if (word === 'skipped')
    return [title, '  Not verified: the environment has no API key for the provider. To verify it in CI, give this job the key.']
  return [
    title,
    ...describeVerification(verification).map(indented),
    ...(word === 'undecided' ? [`  ${whyUndecided(verification)}`] : []),
    ...(accepted === undefined ? [] : [`  Kept as ${accepted}: from now on, a replay guards it.`]),
    ...(pages.length === 0 ? [] : [`  To see the samples: ${pages.length === 1 ? pages[0] : `${pages[0]} to ${pages.at(-1)}`}`]),
    ...(base === undefined ? [] : baseLines(base).map(indented)),
  ]
}

function whyUndecided({ undecided, passed, failed, usedUp }: VerificationSummary): string {
  if (usedUp !== undefined) return 'Undecided: the budget ended the samples.'
  if (passed + failed === 0) return 'Undecided: no sample could be judged.'
  return undecided > 0 ? 'Undecided: too few samples could be judged.' : 'Undecided: more samples are needed (--samples).'
}

function baseLines({ ref, verification, message, difference = 0, interval, verdict }: BaseResult): string[] {
  if (verification === undefined || interval === undefined) return [`With the code of ${ref}: ${printable(message ?? '')}`]
  const { passed, failed } = verification
  const points = (share: number): string => `${share > 0 ? '+' : ''}${Math.round(share * 100)}`
  return [
    `With the code of ${ref}: ${passed} of ${passed + failed} passed.`,
    `Difference: ${points(difference)} percentage points, 95 % interval ${points(interval.low)} to ${points(interval.high)}: ${verdict ?? ''}.`,
  ]
}

function indented(line: string): string {
  return `  ${line}`
}
