import { expect } from 'vitest'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import { type RunMaker, toStoredLog } from '../fleet/world/synthetic-runs.ts'
import { runCommand } from '../support/run-command.ts'
import type { TemporaryDirectory } from '../support/temporary-directory.ts'

/** How many runs an hour has. */
export const COUNT = 200
export const HOUR = 3_600_000
export const start: number = Math.floor((Date.now() - 30 * HOUR) / HOUR) * HOUR
export const prices: readonly string[] = ['--gigabyte-month', '0.5', '--thousand-writes', '2', '--thousand-reads', '3']

/** Stores the runs of these numbers in the store of a project. */
export async function fill(maker: RunMaker, directory: TemporaryDirectory, from: number, to: number): Promise<DirectoryStore> {
  const store = createDirectoryStore(directory.resolve('.goldenrun/runs'))
  for (let number = from; number < to; number += 1) {
    const run = maker.make(number)
    await store.adopt(toStoredLog(run), run.summary)
  }
  await store.flush()
  return store
}

/** What `goldenrun costs --json` prints. */
interface PrintedCosts {
  readonly runs: number
  readonly packBytes: number
  readonly indexBytes: number
  readonly groups: readonly { readonly className: string; readonly runs: number }[]
  readonly costs: readonly { readonly item: string; readonly amount: number; readonly cost: number }[]
}

/** What the command prints in a project. */
export async function costsOf(project: TemporaryDirectory, ...more: string[]): Promise<PrintedCosts> {
  const { status, stdout, stderr } = await runCommand(project.path, ['costs', ...prices, '--json', ...more])
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as PrintedCosts
}
