import type { VerificationSummary } from '../../travel/verify/describe-verification.ts'
import { runAt } from '../past-code/run-apart.ts'
import type { SelectedTrace } from '../select-traces.ts'
import type { Terminal } from '../terminal.ts'
import type { VerifyTracesOptions } from './verify-traces.ts'

/** A trace that was verified with past code, or could not be. */
export interface VerifiedAt {
  readonly name: string
  readonly verification?: VerificationSummary
  readonly message?: string
}

/**
 * Verifies traces of the current tree with the code of a commit.
 *
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if the commit cannot be found, or set up.
 */
export async function verifyAt(
  ref: string,
  selected: readonly SelectedTrace[],
  { install, ...options }: VerifyTracesOptions & { readonly install: boolean },
  terminal: Terminal,
): Promise<readonly VerifiedAt[]> {
  return await runAt(ref, selected, { job: 'verify', install, options }, terminal)
}
