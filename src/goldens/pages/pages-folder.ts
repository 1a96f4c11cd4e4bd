import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isRedPageOf, isSamplePageOf } from './page-name.ts'

/** The folder of pages, from the working directory. */
export const PAGES = '.goldenrun/pages'

/** The environment variable that names another folder. */
const VARIABLE = 'GOLDENRUN_PAGES'

/** The folder of the pages of goldens that do not hold. */
export function redPagesFolder(): string {
  return process.env[VARIABLE] || PAGES
}

/** Removes the pages of a golden that holds again. That one cannot be removed changes nothing. */
export function removeRedPages(golden: string, folder: string = redPagesFolder()): void {
  removePages(folder, (file) => isRedPageOf(file, golden))
}

/** Removes the pages of a golden's samples, of which there may have been more. */
export function removeSamplePages(golden: string, folder: string): void {
  removePages(folder, (file) => isSamplePageOf(file, golden))
}

function removePages(folder: string, isOld: (file: string) => boolean): void {
  try {
    for (const file of readdirSync(folder)) if (isOld(file)) rmSync(path.join(folder, file), { force: true })
  } catch {
    // Most often there is no such folder.
  }
}
