import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { processWide } from '../../../src/node/process-wide.ts'
import { replay } from '../../../src/replay/replay.ts'
import type { ReplayOptions } from '../../../src/replay/contract/replay-options.ts'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'

/** A folder outside the project, as it is on the machine of the recording, and on another one. */
export interface FileWorld {
  readonly folder: string
  /** Writes the files that the recorded run finds. */
  readonly fill: (folder: string) => void
}

/** Everything that stands in a folder: its paths, their kinds and contents. */
export function readTree(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    paths.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(folder, path), entry.isFile() ? `${statSync(path).mode} ${readFileSync(path, 'latin1')}` : 'no file']
    }),
  )
}

/** Temporary trees of this process. */
const overlays = (): string[] => [...processWide('file-overlays', () => ({ roots: new Set<string>() })).roots]

/** A recorded use of files. */
export interface HeldFiles {
  readonly trace: Trace
  readonly text: string
  readonly output: unknown
  /** Replays it where the folder is empty. */
  replay(agent?: (folder: string) => unknown, options?: ReplayOptions): Promise<ReplayedRun>
}

/**
 * Records an agent that uses files, and replays it: where the folder holds other files, and where there is none. Expects the recorded outcome, nothing
 * that differs, nothing written, and no temporary tree that is left.
 */
export async function holdFiles({ folder, fill }: FileWorld, agent: (folder: string) => unknown, times = 2): Promise<HeldFiles> {
  rmSync(folder, { recursive: true, force: true })
  fill(folder)
  const { trace, text, output } = await recordRun(async () => await agent(folder), { recorder: { files: { record: [`${folder}/**`] } } })
  expect(rowsOf(trace, 'note').filter(({ what }) => !['repeated-side-effect', 'flagged'].includes(what))).toEqual([])
  const again = async (changed: (folder: string) => unknown = agent, options: ReplayOptions = {}): Promise<ReplayedRun> => {
    rmSync(folder, { recursive: true, force: true })
    const before = overlays()
    const run = await replay(trace, async () => await changed(folder), options)
    expect(statSync(folder, { throwIfNoEntry: false })).toBe(undefined)
    expect(overlays()).toEqual(before)
    return run
  }
  for (let time = 0; time < times; time += 1) {
    const run = await again()
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  return { trace, text, output, replay: again }
}
