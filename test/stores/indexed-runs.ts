import { rmSync } from 'node:fs'
import { expect } from 'vitest'
import { currentRun } from '../../src/run/current-run.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { RunIndex } from '../../src/stores/run-index/run-index.ts'
import type { RunQuery, RunSummary } from '../../src/stores/run-summary.ts'
import { StoreFiles } from '../../src/stores/store-files.ts'
import type { TraceStore } from '../../src/stores/trace-store.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runNode } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

/** The ids of the runs that are found. */
export const find = async (store: TraceStore, query: RunQuery): Promise<string[]> =>
  (await store.find?.(query))?.runs.map(({ id }) => id) ?? []

const byId = (runs: readonly RunSummary[]): RunSummary[] => runs.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** What the index keeps, the newest first. */
export function kept(directory: string): RunSummary[] {
  const index = new RunIndex(new StoreFiles(directory).indexFile, 1000)
  try {
    return index.find({})
  } finally {
    index.close()
  }
}

/** Four runs that differ in all that runs are found by. */
export async function recordFour(
  project: TemporaryDirectory,
): Promise<{ store: Required<Omit<TraceStore, 'reports' | 'abandon' | 'findAll' | 'replaceEach'>>; ids: string[]; directory: string }> {
  const directory = project.resolve('runs')
  const ids = [
    await recordCancel(directory),
    await recordRefundTwice(directory),
    await record(directory, { agent: 'triage', input: {}, tags: { user: '42', plan: 'free' } }, () => {
      throw new TypeError('The mailbox timed out')
    }),
    await record(directory, { input: {}, agentVersion: '1.5.0' }, () => currentRun()?.flag('asked twice')),
  ]
  return { store: createDirectoryStore(directory), ids, directory }
}

/** Has so many processes write so many runs each, at once, and expects the index to have all of them. */
export async function expectSafeWriters(writers: number, runs: number): Promise<void> {
  await using project = await createTemporaryDirectory()
  const program = new URL('programs/write-runs.ts', import.meta.url).pathname
  const processes = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      runNode(project.path, [program, project.resolve('runs'), `writer-${writer}`, String(runs)]),
    ),
  )
  expect(processes.map(({ status, stderr }) => [status, stderr])).toEqual(Array.from({ length: writers }, () => [0, '']))

  const store = createDirectoryStore(project.resolve('runs'))
  expect(await find(store, {})).toHaveLength(writers * runs)
  const before = kept(project.resolve('runs'))
  for (let writer = 0; writer < writers; writer += 1) expect(await find(store, { agent: `writer-${writer}` })).toHaveLength(runs)
  rmSync(project.resolve('runs', 'index'), { recursive: true })
  await find(store, {})
  // Runs of one moment stand in the order in which they were indexed.
  expect(byId(kept(project.resolve('runs')))).toEqual(byId(before))
}
