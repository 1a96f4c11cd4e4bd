import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { digest } from '../replay/traces/digest.ts'
import type { AcceptedChange } from '../replay/goldens/rebase/accepted-change.ts'
import type { PendingRebase } from './results/golden-result.ts'

/** The prepared rebase of a golden. */
export interface PreparedRebase {
  /** The golden's file: an absolute path. */
  readonly file: string
  readonly text: string
  readonly changes: readonly AcceptedChange[]
}

/** Stores the new text of a golden in a temporary file: goldens are written only after all tests have reported. */
export function keepRebase({ file, text, changes }: PreparedRebase): PendingRebase {
  const rebased = path.join(mkdtempSync(path.join(tmpdir(), 'goldenrun-rebase-')), path.basename(file))
  writeFileSync(rebased, text)
  return { file, rebased, key: digest(text.replace(/"rebasedAt":"[^"]*"/, '')), changes }
}
