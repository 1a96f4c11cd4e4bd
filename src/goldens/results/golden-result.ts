import type { JsonReport } from '../../divergence/report/json-report.ts'
import type { HoldStatus } from '../../matchers/holds.ts'
import type { AcceptedChange } from '../../replay/goldens/rebase/accepted-change.ts'

/** The result of a golden in a test, sent to the reporter. */
export interface GoldenResult {
  readonly name: string
  /** Its file, as shown in messages. */
  readonly file: string
  /** The hand-written test that asserts it. Absent for a golden that is a test file itself. */
  readonly test?: string
  /**
   * `could not run`: it could not be replayed, or its file tried to contact the outside world. `not asserted`: a test replayed it and did not look at
   * what came of it.
   */
  readonly status: HoldStatus | 'could not run' | 'rebased' | 'recorded' | 'not asserted'
  /** Whether the replay had options that affect whether the golden holds. Default: no. */
  readonly hasOptions?: boolean
  /** Why it does not hold. */
  readonly report?: GoldenReport
  /** The page that shows the recorded run and the replay side by side, as shown in messages. */
  readonly page?: string
  /** Why the page could not be written. */
  readonly pageProblem?: string
  /** The accepted changes to write. */
  readonly rebase?: PendingRebase
  readonly refusal?: RefusedRebase
  /** Loaded packages whose native code can reach the world from the runner's process. Absent: none. */
  readonly native?: readonly string[]
}

/** Why a golden is not rebased. */
export interface RefusedRebase {
  /** The reason as a clause. */
  readonly reason: string
  /** The command that records it again, if that helps. */
  readonly command?: string
}

/** A report in all output formats. */
export interface GoldenReport {
  readonly json: JsonReport
  readonly markdown: string
  /** The same for the same change in any golden. */
  readonly key: string
}

/** A rebase that is written after all tests have reported. */
export interface PendingRebase {
  /** The golden, and the file with its new text. Absolute paths. */
  readonly file: string
  readonly rebased: string
  /** The same for the same new text, whenever it was created. */
  readonly key: string
  readonly changes: readonly AcceptedChange[]
}
