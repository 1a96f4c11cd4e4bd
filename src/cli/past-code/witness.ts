import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { findCommit, findRepository } from './commits.ts'
import { pastCodeError } from './git.ts'
import { withPastCode } from './past-code.ts'

/**
 * Checks out a commit next to the project, with the currently installed packages, calls `use`, and removes the checkout. If the commit has
 * no config, it has the current one.
 *
 * @param ref A commit, branch or tag.
 * @param use Called with the counterpart of the current directory in that commit.
 * @throws GoldenrunError `GOLDENRUN_WITNESS` if there is no such commit, or no git.
 */
export async function withWitness<Result>(ref: string, use: (directory: string) => Promise<Result>): Promise<Result> {
  try {
    const commit = findCommit(findRepository(process.cwd()), ref)
    const options = { directories: [], differingLock: 'ignore', onNote: () => undefined } as const
    return await withPastCode(commit, options, async (past) => {
      await past.enter(commit, ref)
      return await use(past.placeOf(process.cwd()))
    })
  } catch (error) {
    if (!GoldenrunError.isInstance(error) || error.code !== pastCodeError('').code) throw error
    const message = `Cannot check out ${ref} for --witness: ${error.message} Name a commit, a branch or a tag of this repository.`
    throw new GoldenrunError('GOLDENRUN_WITNESS', message, { cause: error })
  }
}
