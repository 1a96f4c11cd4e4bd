import type { JsonReport } from '../../divergence/report/json-report.ts'
import type { HoldStatus } from '../../matchers/holds.ts'
import type { AcceptedChange } from '../../replay/goldens/rebase/accepted-change.ts'

/** What came of a golden in a test, as it is told to the reporter. */
export interface GoldenResult {
  readonly name: string
  /** Its file, as messages call it. */
  readonly file: string
  /** The hand-written test that asserts it; absent for a golden that is a test file itself. */
  readonly test?: string
  /** `could not run`: it could not be replayed, or its file reached for the world. */
  readonly status: HoldStatus | 'could not run' | 'rebased' | 'recorded'
  /** Whether it was replayed with options that change what holds. Default: not. */
  readonly hasOptions?: boolean
  /** Why it does not hold. */
  readonly report?: GoldenReport
  /** What is to be taken over into it. */
  readonly rebase?: PendingRebase
  readonly refusal?: RefusedRebase
}

/** Why a golden is not rebased. */
export interface RefusedRebase {
  /** A clause. */
  readonly reason: string
  /** Records it anew, where that is right. */
  readonly command?: string
}

/** A report, in the forms that reports are gathered in. */
export interface GoldenReport {
  readonly json: JsonReport
  readonly markdown: string
  /** The same for the same change, in whatever golden. */
  readonly key: string
}

/** A golden that is rebased once it is known what else is. */
export interface PendingRebase {
  /** The golden, and the file that holds its new text, as absolute paths. */
  readonly file: string
  readonly rebased: string
  /** The same for the same new text, whenever it was made. */
  readonly key: string
  readonly changes: readonly AcceptedChange[]
}
