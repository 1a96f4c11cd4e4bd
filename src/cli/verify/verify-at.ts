import path from 'node:path'
import type { VerificationSummary } from '../../travel/verify/describe-verification.ts'
import { findCommit, findRepository } from '../past-code/commits.ts'
import { withPastCode } from '../past-code/past-code.ts'
import { prepareApart, readCurrent } from '../past-code/run-apart.ts'
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
  const commit = findCommit(findRepository(process.cwd()), ref)
  const traces = await readCurrent(selected)
  const directories = traces.flatMap(({ found }) => (found === undefined ? [] : [path.dirname(path.resolve(found.file))]))
  const given = { directories, differingLock: install ? 'install' : 'refuse', onNote: (note: string) => terminal.printError(note) } as const
  return await withPastCode(commit, given, async (past) => {
    terminal.status(`Verifying at ${ref}`)
    try {
      await past.enter(commit, ref)
      const prepare = prepareApart<readonly VerifiedAt[]>(past, traces, 'verify')
      return await prepare(options)(ref)
    } finally {
      terminal.status('')
    }
  })
}
