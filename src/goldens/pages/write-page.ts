import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Verdict } from '../../matchers/holds.ts'
import { displayPath } from '../../node/display-path.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import type { PageData } from '../../viewer/page-data.ts'
import { pageOfReplay, toHtml } from './to-page.ts'

/** The folder of pages, from the working directory. */
export const PAGES = '.goldenrun/pages'

/** The environment variable that names another folder. */
const VARIABLE = 'GOLDENRUN_PAGES'

/** The name of a page's file, which may be called so anywhere. */
export function pageName(names: readonly string[]): string {
  const shown = names.map((name) => name.replaceAll(/[^\w.-]+/g, '-').slice(0, 80))
  return `${shown.join('-and-').slice(0, 120)}.html`
}

/** Writes the page of runs into a folder. @returns The file, as messages call it. */
export function writePage(folder: string, file: string, page: PageData, title: string): string {
  const place = path.resolve(folder, file)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, toHtml(page, title))
  return displayPath(place)
}

/**
 * Writes the page of a golden that does not hold: the recorded run and the replay side by side. The verdict stands whether the page could be written or
 * not.
 *
 * @param folder Default: the one that `GOLDENRUN_PAGES` names, else `.goldenrun/pages`.
 * @returns The file, as messages call it, or why there is none.
 */
export function writeRedPage(run: ReplayedRun, verdict: Exclude<Verdict, { holds: true }>, folder?: string): WrittenPage {
  const { golden, id } = run.trace.header
  const name = golden?.name ?? id
  try {
    const place = folder ?? (process.env[VARIABLE] || PAGES)
    return { page: writePage(place, pageName([`${name}.red`]), pageOfReplay(run, verdict), name) }
  } catch (error) {
    return { pageProblem: error instanceof Error ? error.message : String(error) }
  }
}

/** A page that was written, or why it was not. */
export interface WrittenPage {
  readonly page?: string
  readonly pageProblem?: string
}
