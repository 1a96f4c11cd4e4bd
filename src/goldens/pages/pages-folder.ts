import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isRedPageOf, isSamplePageOf } from './page-name.ts'

/** The folder of pages, relative to the working directory. */
export const PAGES = '.goldenrun/pages'

/** The environment variable that sets a different folder. */
const VARIABLE = 'GOLDENRUN_PAGES'

/** Returns the folder of the pages of goldens that do not hold. */
export function redPagesFolder(): string {
  return process.env[VARIABLE] || PAGES
}

/** Removes the pages of a golden that holds again. A page that cannot be removed is ignored. */
export function removeRedPages(golden: string, folder: string = redPagesFolder()): void {
  removePages(folder, (file) => isRedPageOf(file, golden))
}

/** Removes the pages of a golden's samples: an earlier `verify` may have had more of them. */
export function removeSamplePages(golden: string, folder: string): void {
  removePages(folder, (file) => isSamplePageOf(file, golden))
}

function removePages(folder: string, isOld: (file: string) => boolean): void {
  try {
    for (const file of readdirSync(folder)) if (isOld(file)) rmSync(path.join(folder, file), { force: true })
  } catch {
    // Usually the folder does not exist.
  }
}
