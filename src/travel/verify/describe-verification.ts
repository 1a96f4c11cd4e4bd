import { printable } from '../../trace/printable.ts'
import type { Spent } from '../budget.ts'
import type { Verification } from './verification.ts'

/** The most causes that are listed. */
const maxCauses = 8

/** Describes a verification in lines of text: how many samples passed, why the others did not, and what it cost. */
export function describeVerification(verification: VerificationSummary): string[] {
  const { passed, failed, undecided, share, interval, causes, departure, spent, usedUp } = verification
  const total = passed + failed
  const powers = verification.passPower.filter(({ k }) => k > 1).map(({ k, probability }) => `pass^${k} ${percent(probability)}`)
  return [
    departure === undefined
      ? 'The agent asks no model anything new, so no model was called.'
      : `Departs from the recorded run at step ${departure}.`,
    ...(total === 0
      ? []
      : [
          `${passed} of ${count(total, 'sample')} passed: ${percent(share)}, 95 % interval ${percent(interval.low)} to ${percent(interval.high)}.`,
        ]),
    ...(undecided === 0 ? [] : [`${count(undecided, total === 0 ? 'sample' : 'other sample')} could not be judged.`]),
    ...(powers.length === 0 ? [] : [`All of k samples pass: ${powers.join(', ')}.`]),
    ...causes.slice(0, maxCauses).map(({ samples, cause }) => `  ${samples} × ${printable(cause)}`),
    ...(causes.length > maxCauses ? [`  and ${count(causes.length - maxCauses, 'more cause')}`] : []),
    describeSpent(spent),
    ...(usedUp === undefined ? [] : [`The budget of ${usedUp} is used up.`]),
  ]
}

/** A verification without its runs. */
export type VerificationSummary = Omit<Verification, 'samples'>

/** Describes the usage of live calls, as a sentence. */
export function describeSpent({ calls, cached, tokens, usd }: Spent): string {
  const used = [
    count(calls, 'live call'),
    ...(cached > 0 ? [`${cached} from the cache`] : []),
    ...(tokens > 0 ? [count(tokens, 'token')] : []),
    ...(usd > 0 ? [`${usd.toFixed(4)} US dollars`] : []),
  ]
  return `${used.join(', ')}.`
}

/** Formats a share as a whole percentage: `95 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
