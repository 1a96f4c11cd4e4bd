import type { JsonReport } from '../../divergence/report/json-report.ts'
import type { HoldStatus } from '../../matchers/holds.ts'
import type { AcceptedChange } from '../../replay/goldens/rebase/accepted-change.ts'

/** The result of a golden in a test, as sent to the reporter. */
export interface GoldenResult {
  readonly name: string
  /** Its file, as named in messages. */
  readonly file: string
  /** The hand-written test that asserts it; absent for a golden that is a test file itself. */
  readonly test?: string
  /** `could not run`: it could not be replayed, or its file tried to contact the outside world. */
  readonly status: HoldStatus | 'could not run' | 'rebased' | 'recorded'
  /** Whether it was replayed with options that affect whether it holds. Default: no. */
  readonly hasOptions?: boolean
  /** Why it does not hold. */
  readonly report?: GoldenReport
  /** The file that shows the recorded run and the replay side by side, as messages call it. */
  readonly page?: string
  /** Why there is no such file, if it could not be written. */
  readonly pageProblem?: string
  /** The changes to accept into it. */
  readonly rebase?: PendingRebase
  readonly refusal?: RefusedRebase
}

/** Why a golden is not rebased. */
export interface RefusedRebase {
  /** A clause. */
  readonly reason: string
  /** The command that records it again, if that helps. */
  readonly command?: string
}

/** A report in all output forms. */
export interface GoldenReport {
  readonly json: JsonReport
  readonly markdown: string
  /** Equal for the same change in any golden. */
  readonly key: string
}

/** A golden that is rebased after all tests have reported. */
export interface PendingRebase {
  /** The golden, and the file with its new text, as absolute paths. */
  readonly file: string
  readonly rebased: string
  /** Equal for the same new text, whenever it was created. */
  readonly key: string
  readonly changes: readonly AcceptedChange[]
}
