import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Verdict } from '../../matchers/holds.ts'
import type { Price } from '../../models/cost.ts'
import { displayPath } from '../../node/display-path.ts'
import { whyNotWritten } from '../../node/write-failure.ts'
import { makeDirectory } from '../../stores/make-directory.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { PageData } from '../../viewer/page-data.ts'
import type { GoldenResult } from '../results/golden-result.ts'
import { redPageName } from './page-name.ts'
import { redPagesFolder } from './pages-folder.ts'
import { pageOfReplay, toHtml } from './to-page.ts'

/**
 * Writes the page of runs into a folder.
 *
 * @returns The file's path, as shown in messages.
 * @throws GoldenrunError `GOLDENRUN_VIEWER` if it cannot be written.
 */
export function writePage(folder: string, file: string, page: PageData, title: string): string {
  const place = path.resolve(folder, file)
  const html = toHtml(page, title)
  const isNew = !existsSync(place)
  try {
    makeDirectory(path.dirname(place))
    writeFileSync(place, html)
  } catch (cause) {
    // A full disk leaves a part of it, or an empty file.
    if (isNew) rmSync(place, { force: true })
    throw new GoldenrunError('GOLDENRUN_VIEWER', `The page ${displayPath(place)} cannot be written: ${whyNotWritten(cause)}`, { cause })
  }
  return displayPath(place)
}

/** Options for writing the page of a golden that does not hold. */
export interface RedPageOptions {
  /** The folder. Default: the one that `GOLDENRUN_PAGES` names, else `.goldenrun/pages`. */
  readonly folder?: string | undefined
  /** The hand-written test that asserts the golden: each test of a file has its own page. Default: none. */
  readonly test?: string | undefined
  /** Model prices by name. Default: no cost is shown. */
  readonly prices?: Readonly<Record<string, Price>> | undefined
}

/** The tests of this process that have a page, by the name of their golden. */
const writtenFor = new Map<string, string[]>()

/**
 * Writes the page of a golden that does not hold: the recorded run and the replay side by side. A failure to write it does not change
 * the verdict.
 *
 * @returns The file's path, as shown in messages, or why there is none.
 */
export function writeRedPage(
  run: ReplayedRun,
  verdict: Exclude<Verdict, { holds: true }>,
  { folder = redPagesFolder(), test = '', prices }: RedPageOptions = {},
): Pick<GoldenResult, 'page' | 'pageProblem'> {
  const { golden, id } = run.trace.header
  const name = golden?.name ?? id
  const tests = writtenFor.get(name) ?? []
  if (!tests.includes(test)) writtenFor.set(name, [...tests, test])
  const count = (writtenFor.get(name)?.indexOf(test) ?? 0) + 1
  try {
    return { page: writePage(folder, redPageName(name, count), pageOfReplay(run, verdict, { prices }), name) }
  } catch (error) {
    return { pageProblem: error instanceof Error ? error.message : String(error) }
  }
}
